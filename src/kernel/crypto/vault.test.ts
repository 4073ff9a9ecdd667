import { describe, expect, test } from 'bun:test';
import { createVault, equalInConstantTime, hashToken } from './vault.ts';

const vault = createVault(Buffer.alloc(32, 1));
const other = createVault(Buffer.alloc(32, 2));

describe('sealing', () => {
  test('opens sealed text of any language and length', () => {
    for (const plain of ['', 'x', 'pässwörd 密码 🔑', 'long '.repeat(10_000)])
      expect(vault.open('a', vault.seal('a', plain))).toBe(plain);
  });

  test('never returns the same text twice, nor the secret', () => {
    const sealed = [vault.seal('a', 'secret'), vault.seal('a', 'secret')];
    expect(sealed[0]).not.toBe(sealed[1] ?? '');
    expect(Buffer.from(sealed.join(''), 'base64url').toString('latin1')).not.toContain('secret');
  });

  test('opens only with the same key and for the same purpose', () => {
    const sealed = vault.seal('a', 'secret');
    expect(() => vault.open('b', sealed)).toThrow();
    expect(() => other.open('a', sealed)).toThrow();
    expect(createVault(Buffer.alloc(32, 1)).open('a', sealed)).toBe('secret');
  });

  test('detects every changed byte, and truncation', () => {
    const bytes = Buffer.from(vault.seal('a', 'secret'), 'base64url');
    for (let index = 0; index < bytes.length; index++) {
      const changed = Buffer.from(bytes);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(() => vault.open('a', changed.toString('base64url'))).toThrow();
    }
    for (const length of [0, 11, 12, 27, 28, bytes.length - 1]) {
      expect(() => vault.open('a', bytes.subarray(0, length).toString('base64url'))).toThrow();
    }
  });
});

describe('signing', () => {
  test('holds for the same text, purpose and key', () => {
    const signature = vault.sign('a', 'text');
    expect(signature).toMatch(/^[\w-]{43}$/);
    expect(vault.verify('a', 'text', signature)).toBe(true);
    expect(vault.verify('a', 'text2', signature)).toBe(false);
    expect(vault.verify('b', 'text', signature)).toBe(false);
    expect(other.verify('a', 'text', signature)).toBe(false);
    expect(vault.verify('a', 'text', '')).toBe(false);
  });

  test('uses other keys than seal and derive', () => {
    expect(
      new Set(
        [vault.derive('a'), vault.derive('sign:a'), vault.derive('seal:a')].map((key) => key.toString('hex')),
      ).size,
    ).toBe(3);
  });
});

test('a short key is rejected', () => {
  expect(() => createVault(Buffer.alloc(31))).toThrow('at least 32 bytes');
});

test('texts are compared completely, at any lengths', () => {
  expect(equalInConstantTime('secret', 'secret')).toBe(true);
  for (const wrong of ['', 'secre', 'secret ', 'Secret'])
    expect(equalInConstantTime('secret', wrong)).toBe(false);
});

test('a stored token is SHA-256 in base64url', () => {
  // The digest of "abc", FIPS 180-4 example.
  expect(Buffer.from(hashToken('abc'), 'base64url').toString('hex')).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  );
});
