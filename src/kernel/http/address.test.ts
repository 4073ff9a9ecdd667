import { describe, expect, test } from 'bun:test';
import { createAddresses } from './address.ts';

describe('the client’s address', () => {
  test('is the peer’s when no proxy is trusted, with any header', () => {
    expect(createAddresses([]).client('198.51.100.7', '203.0.113.9')).toBe('198.51.100.7');
    expect(createAddresses(['10.0.0.0/8']).client('198.51.100.7', '203.0.113.9')).toBe('198.51.100.7');
  });

  test('is the rightmost address in the header that is not a trusted proxy', () => {
    const { client } = createAddresses(['10.0.0.0/8', '2001:db8::/32']);
    expect(client('10.0.0.1', '203.0.113.9')).toBe('203.0.113.9');
    expect(client('10.0.0.1', '192.0.2.66, 203.0.113.9')).toBe('203.0.113.9');
    expect(client('10.0.0.1', '192.0.2.66, 203.0.113.9, 10.2.2.2')).toBe('203.0.113.9');
    expect(client('2001:db8::5', '2a00:1450::1, 2001:db8:1::1')).toBe('2a00:1450::1');
    expect(client('10.0.0.1', '10.0.0.9, 10.0.0.8')).toBe('10.0.0.9');
  });

  test('stops at the first text that is not an address', () => {
    const { client } = createAddresses(['10.0.0.1']);
    expect(client('10.0.0.1', '203.0.113.9, unknown')).toBe('10.0.0.1');
    expect(client('10.0.0.1', '')).toBe('10.0.0.1');
    expect(client('10.0.0.1', '203.0.113.9, ')).toBe('10.0.0.1');
  });

  test('is read with a port, in brackets and as IPv4 mapped into IPv6', () => {
    const { client } = createAddresses(['::ffff:10.0.0.1', '::1']);
    expect(client('::ffff:10.0.0.1', '203.0.113.9:4711')).toBe('203.0.113.9');
    expect(client('10.0.0.1', '[2a00:1450::1]:443')).toBe('2a00:1450::1');
    expect(client('::1', '[::ffff:203.0.113.9]:443')).toBe('203.0.113.9');
    expect(client('::ffff:198.51.100.7', null)).toBe('198.51.100.7');
    expect(client('::ffff:c633:6407', null)).toBe('198.51.100.7');
    expect(client('::1', '2001:0DB8:0:0::1')).toBe('2001:db8::1');
    expect(client('fe80::1%eth0', null)).toBe('fe80::1');
  });
});
