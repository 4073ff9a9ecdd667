import { describe, expect, test } from 'bun:test';
import { digestOf, equalInConstantTime } from './digest.ts';
import { createVault, fixedKeys, type ServerKeys } from './vault.ts';

const [first, second] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const vault = createVault(first);
const other = createVault(second);

/** Sealed by the first key for the purpose `a`, by the version before keys had ids. */
const WITHOUT_KEY_ID = 'P8py_a0Msaf4LFNv4HQvOBQcn-fqvTo5iO2Fvt-6qgqlt5xCKNmrTivh4JZMcQgK';

describe('sealing', () => {
  test('opens sealed text of any language and length', () => {
    for (const plain of ['', 'x', 'pässwörd 密码 🔑', 'long '.repeat(10_000)])
      expect(vault.open('a', 'row', vault.seal('a', 'row', plain))).toBe(plain);
  });

  test('never returns the same text twice, nor the secret', () => {
    const sealed = [vault.seal('a', 'row', 'secret'), vault.seal('a', 'row', 'secret')];
    expect(sealed[0]).not.toBe(sealed[1] ?? '');
    expect(Buffer.from(sealed.join(''), 'base64url').toString('latin1')).not.toContain('secret');
  });

  test('opens only with the same key, for the same purpose and the same row', () => {
    const sealed = vault.seal('a', 'row', 'secret');
    expect(() => vault.open('b', 'row', sealed)).toThrow();
    expect(() => vault.open('a', 'another row', sealed)).toThrow();
    expect(() => other.open('a', 'row', sealed)).toThrow('this server does not have');
    expect(createVault(Buffer.alloc(32, 1)).open('a', 'row', sealed)).toBe('secret');
    // With the id of another key.
    const renamed = sealed.replace(vault.keyIds()[0] ?? '', other.keyIds()[0] ?? '');
    expect(() => createVault(fixedKeys(first, second)).open('a', 'row', renamed)).toThrow();
  });

  test('detects every changed byte, and truncation', () => {
    const [id = '', body = ''] = vault.seal('a', 'row', 'secret').split('.');
    const bytes = Buffer.from(body, 'base64url');
    const open = (changed: Uint8Array) =>
      vault.open('a', 'row', `${id}.${Buffer.from(changed).toString('base64url')}`);
    expect(open(bytes)).toBe('secret');
    for (let index = 0; index < bytes.length; index++) {
      const changed = Buffer.from(bytes);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(() => open(changed)).toThrow();
    }
    for (const length of [0, 11, 12, 27, 28, bytes.length - 1])
      expect(() => open(bytes.subarray(0, length))).toThrow();
    // Without the id, a value is one of an earlier version, which has no row.
    expect(() => vault.open('a', 'row', body)).toThrow();
  });

  test('opens values of the version before keys had ids', () => {
    expect(vault.open('a', 'any row', WITHOUT_KEY_ID)).toBe('a secret from before');
    expect(createVault(fixedKeys(second, first)).open('a', 'any row', WITHOUT_KEY_ID)).toBe(
      'a secret from before',
    );
    expect(vault.isCurrent(WITHOUT_KEY_ID)).toBe(false);
    expect(() => other.open('a', 'row', WITHOUT_KEY_ID)).toThrow();
    expect(() => vault.open('b', 'row', WITHOUT_KEY_ID)).toThrow();
  });
});

describe('several keys', () => {
  const both = createVault(fixedKeys(second, first));

  test('seal and sign with the newest, open and verify with all', () => {
    const old = vault.seal('a', 'row', 'secret');
    expect(both.open('a', 'row', old)).toBe('secret');
    expect([both.isCurrent(old), both.isCurrent(both.seal('a', 'row', 'secret'))]).toEqual([false, true]);
    expect(other.open('a', 'row', both.seal('a', 'row', 'secret'))).toBe('secret');
    expect(both.verify('a', 'text', vault.sign('a', 'text'))).toBe(true);
    expect(vault.verify('a', 'text', both.sign('a', 'text'))).toBe(false);
    expect(both.keyIds()).toEqual([...other.keyIds(), ...vault.keyIds()]);
  });

  test('are loaded again when a value has an unknown key', () => {
    let keys: readonly Buffer[] = [first];
    const source: ServerKeys = { current: () => keys, reload: () => (keys = [second, first]) };
    const running = createVault(source);
    expect(running.open('a', 'row', other.seal('a', 'row', 'secret'))).toBe('secret');
    expect(running.isCurrent(running.seal('a', 'row', 'x'))).toBe(true);
    expect(running.keyIds()).toHaveLength(2);
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
    expect(vault.verify('a', 'text', signature.slice(0, 22))).toBe(false);
    expect(vault.verify('a', 'text', signature.slice(0, 22), 22)).toBe(true);
    expect(vault.verify('a', 'text', '', 22)).toBe(false);
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
  expect(Buffer.from(digestOf('abc'), 'base64url').toString('hex')).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  );
});
