import { describe, expect, test } from 'bun:test';
import { createPasswords } from './passwords.ts';

const passwords = createPasswords();

describe('passwords', () => {
  test('are kept as argon2id with a salt of their own', async () => {
    const [one, two] = await Promise.all([passwords.hash('correct horse'), passwords.hash('correct horse')]);
    expect(one).toStartWith('$argon2id$v=19$m=19456,t=2,p=1$');
    expect(one).not.toBe(two);
    expect(await passwords.verify('correct horse', one)).toBe(true);
    expect(await passwords.verify('correct horse ', one)).toBe(false);
    expect(await passwords.verify('', one)).toBe(false);
  });

  test('count as the same however their letters were composed', async () => {
    const hash = await passwords.hash('Gru\u0308ße');
    expect(await passwords.verify('Gr\u00fcße', hash)).toBe(true);
  });

  test('count whole, also beyond 72 bytes', async () => {
    const hash = await passwords.hash(`${'x'.repeat(100)}a`);
    expect(await passwords.verify(`${'x'.repeat(100)}b`, hash)).toBe(false);
    expect(await passwords.verify(`${'x'.repeat(100)}a`, hash)).toBe(true);
  });

  test('are wrong where there is no account, and where the hash is damaged', async () => {
    expect(await passwords.verify('a password that nobody has', null)).toBe(false);
    expect(await passwords.verify('anything', 'no hash')).toBe(false);
  });

  test('of many people are computed a few at a time, and all of them', async () => {
    const two = createPasswords(2);
    const hashes = await Promise.all(Array.from({ length: 7 }, (_, index) => two.hash(`password ${index}`)));
    const right = await Promise.all(hashes.map((hash, index) => two.verify(`password ${index}`, hash)));
    expect(right).toEqual(Array(7).fill(true));
  });
});
