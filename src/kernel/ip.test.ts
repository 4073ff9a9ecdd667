import { describe, expect, test } from 'bun:test';
import {
  canonicalAddress,
  isInRanges,
  isLoopbackHost,
  limitKey,
  parseAddress,
  parseIpRange,
  parseRanges,
} from './ip.ts';

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['2001:0DB8:0:0:0:0:0:1', '2001:db8::1'],
  ['2001:db8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::ffff:c000:201', '192.0.2.1'],
  ['64:ff9b::192.0.2.1', '64:ff9b::c000:201'],
  ['::', '::'],
])('the canonical form of %s is %s', (text, canonical) => {
  expect(canonicalAddress(text)).toBe(canonical);
});

test.each([
  '',
  'localhost',
  '127.1',
  '0x7f.0.0.1',
  '0177.0.0.1',
  '2130706433',
  '192.0.2.256',
  '192.0.2.1/32',
  'fe80::1%eth0',
  '::ffff:0x7f.0.0.1',
  '::ffff:0177.0.0.1',
  '::1.2.3',
  '1:2:3:4:5:6:7',
  '1::2::3',
  '[::1]',
])('%p is not an address', (text) => {
  expect(parseAddress(text)).toBeNull();
  expect(canonicalAddress(text)).toBeNull();
});

function raise(text: string): never {
  throw new Error(`${text} is not an address`);
}

describe('ranges', () => {
  const contains = (range: string, address: string) => {
    const [parsed, ip] = [parseIpRange(range), parseAddress(address)];
    if (!parsed || !ip) throw new Error(`${range} or ${address} cannot be read`);
    return isInRanges(ip, [parsed]);
  };

  test('contain addresses with their prefix and of their family', () => {
    expect(contains('10.0.0.0/8', '10.255.255.255')).toBe(true);
    expect(contains('10.0.0.0/8', '11.0.0.0')).toBe(false);
    expect(contains('172.16.0.0/12', '172.32.0.0')).toBe(false);
    expect(contains('0.0.0.0/0', '255.255.255.255')).toBe(true);
    expect(contains('::/0', '10.0.0.1')).toBe(false);
    expect(contains('2001:db8::/33', '2001:db8:7fff::1')).toBe(true);
    expect(contains('2001:db8::/33', '2001:db8:8000::1')).toBe(false);
    expect(contains('192.0.2.1', '192.0.2.1')).toBe(true);
    expect(contains('192.0.2.1', '192.0.2.2')).toBe(false);
    expect(contains('192.0.2.1/32', '192.0.2.1')).toBe(true);
    expect(contains('::ffff:10.0.0.0/104', '10.1.2.3')).toBe(true);
    expect(contains('::ffff:0.0.0.0/96', '10.1.2.3')).toBe(true);
    expect(contains('::ffff:0.0.0.0/95', '10.1.2.3')).toBe(false);
    expect(contains('2001:db8::/96', '2001:db8::1')).toBe(true);
  });

  test('match when one range of a list contains the address', () => {
    const ranges = parseRanges(['10.0.0.0/8', '::1', '192.0.2.0/24']);
    const isIn = (text: string) => isInRanges(parseAddress(text) ?? raise(text), ranges);
    expect(['10.1.1.1', '::1', '192.0.2.9', '192.0.3.9', '::2'].map(isIn)).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
    expect(() => parseRanges(['10.0.0.0/8', 'x/8'])).toThrow('x/8 is neither');
  });

  test.each([
    '10.0.0.0/33',
    '10.0.0.0/8x',
    '::/129',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '10.0.0.0/-1',
    '10/8',
    'x',
    'fe80::1%a/64',
  ])('%p is not a range', (text) => {
    expect(parseIpRange(text)).toBeNull();
  });
});

test('limits count an IPv4 address, and the /64 of an IPv6 address in any spelling', () => {
  expect(limitKey('203.0.113.9')).toBe('203.0.113.9');
  expect(limitKey('unknown')).toBe('unknown');
  expect(limitKey('::ffff:203.0.113.9')).toBe('203.0.113.9');
  expect(limitKey('2001:db8::1')).toBe('2001:db8:0:0::/64');
  expect(limitKey('2001:0db8:0:0:ffff:1:2:3')).toBe('2001:db8:0:0::/64');
  expect(limitKey('2001:db8:0:1::1')).toBe('2001:db8:0:1::/64');
  expect(limitKey('::1')).toBe('0:0:0:0::/64');
  expect(limitKey('2001:db8:1:2:3::')).toBe('2001:db8:1:2::/64');
});

test.each([
  ...['localhost', 'LOCALHOST', 'app.localhost', '127.0.0.1', '127.8.9.10', '::1', '[::1]'].map(
    (host) => [host, true] as const,
  ),
  ...[
    'notlocalhost',
    'localhost.example.org',
    'example.org',
    '128.0.0.1',
    '1127.0.0.1',
    '127.0.0.1.example.org',
    '::11',
  ].map((host) => [host, false] as const),
])('%s as this machine: %p', (host, isLocal) => {
  expect(isLoopbackHost(host)).toBe(isLocal);
});
