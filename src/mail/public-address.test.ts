import { expect, test } from 'bun:test';
import { isPublicAddress } from './public-address.ts';

test('addresses at the borders of ranges', () => {
  for (const address of [
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '198.17.0.1',
    '198.20.0.0',
    '223.255.255.255',
    '8.8.8.8',
    '2a00::1',
    '2001:200::1',
    '3ffe::1',
  ])
    expect([address, isPublicAddress(address)]).toEqual([address, true]);
  for (const address of [
    '10.255.255.255',
    '100.127.255.255',
    '172.16.0.0',
    '198.19.255.255',
    '224.0.0.1',
    '255.255.255.255',
    '2001:1ff::1',
    '1fff::1',
    '4000::1',
    '3fff:fff::1',
    '192.31.196.1',
    '192.52.193.1',
    '192.175.48.1',
    '2620:4f:8000::1',
    '::ffff:8.8.8.8',
    '::8.8.8.8',
    '2606:4700::1%eth0',
    '2606:4700::200:5efe:7f00:1',
    'x',
  ])
    expect([address, isPublicAddress(address)]).toEqual([address, false]);
});
