import { describe, expect, spyOn, test } from 'bun:test';
import { createPasswords } from './passwords.ts';

const passwords = createPasswords();

describe('passwords', () => {
  test('are hashed by argon2id with separate salts', async () => {
    const [one, two] = await Promise.all([passwords.hash('correct horse'), passwords.hash('correct horse')]);
    expect(one).toStartWith('$argon2id$v=19$m=19456,t=2,p=1$');
    expect(one).not.toBe(two);
    expect(await passwords.verify('correct horse', one)).toBe(true);
    expect(await passwords.verify('correct horse ', one)).toBe(false);
    expect(await passwords.verify('', one)).toBe(false);
  });

  test('of one space do not match an empty one', async () => {
    const hash = await passwords.hash(' ');
    expect(await passwords.verify('', hash)).toBe(false);
    expect(await passwords.verify(' ', hash)).toBe(true);
  });

  test('match in any Unicode composition', async () => {
    const hash = await passwords.hash('Gru\u0308ße');
    expect(await passwords.verify('Gr\u00fcße', hash)).toBe(true);
  });

  test('count completely, also beyond 72 bytes', async () => {
    const hash = await passwords.hash(`${'x'.repeat(100)}a`);
    expect(await passwords.verify(`${'x'.repeat(100)}b`, hash)).toBe(false);
    expect(await passwords.verify(`${'x'.repeat(100)}a`, hash)).toBe(true);
  });

  test('are wrong for a missing account and a damaged hash', async () => {
    expect(await passwords.verify('a password that nobody has', null)).toBe(false);
    expect(await passwords.verify('anything', 'no hash')).toBe(false);
  });

  test('are hashed a few at a time', async () => {
    const two = createPasswords(2);
    const hashes = await Promise.all(Array.from({ length: 7 }, (_, index) => two.hash(`password ${index}`)));
    const right = await Promise.all(hashes.map((hash, index) => two.verify(`password ${index}`, hash)));
    expect(right).toEqual(Array(7).fill(true));
  });
});

test('an empty password is rejected even if its hash is stored', async () => {
  const hash = await Bun.password.hash(' ', { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 });
  const verify = spyOn(Bun.password, 'verify');
  expect(await passwords.verify('', hash)).toBe(false);
  expect(await passwords.verify('', null)).toBe(false);
  expect(verify).not.toHaveBeenCalled();
  verify.mockRestore();
});
