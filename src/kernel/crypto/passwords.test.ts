import { describe, expect, spyOn, test } from 'bun:test';
import { createPasswords } from './passwords.ts';

const passwords = createPasswords();
const createPasswordsOnce = createPasswords(1);

describe('passwords', () => {
  test('are hashed by argon2id with separate salts', async () => {
    const [one, two] = await Promise.all([
      passwords.hash('correct horse', 'ada'),
      passwords.hash('correct horse', 'ada'),
    ]);
    expect(one).toStartWith('$argon2id$v=19$m=19456,t=2,p=1$');
    expect(one).not.toBe(two);
    expect(await passwords.verify('correct horse', one, 'ada')).toBe(true);
    expect(await passwords.verify('correct horse ', one, 'ada')).toBe(false);
    expect(await passwords.verify('', one, 'ada')).toBe(false);
  });

  test('of one space do not match an empty one', async () => {
    const hash = await passwords.hash(' ', 'ada');
    expect(await passwords.verify('', hash, 'ada')).toBe(false);
    expect(await passwords.verify(' ', hash, 'ada')).toBe(true);
  });

  test('match in any Unicode composition', async () => {
    const hash = await passwords.hash('Gru\u0308ße', 'ada');
    expect(await passwords.verify('Gr\u00fcße', hash, 'ada')).toBe(true);
  });

  test('count completely, also beyond 72 bytes', async () => {
    const hash = await passwords.hash(`${'x'.repeat(100)}a`, 'ada');
    expect(await passwords.verify(`${'x'.repeat(100)}b`, hash, 'ada')).toBe(false);
    expect(await passwords.verify(`${'x'.repeat(100)}a`, hash, 'ada')).toBe(true);
  });

  test('are wrong for a missing account and a damaged hash', async () => {
    expect(await passwords.verify('a password that nobody has', null, 'ada')).toBe(false);
    expect(await passwords.verify('anything', 'no hash', 'ada')).toBe(false);
  });

  test('beyond 1,024 characters are wrong without a hash', async () => {
    const verify = spyOn(Bun.password, 'verify');
    expect(await passwords.verify('x'.repeat(1_025), null, 'ada')).toBe(false);
    expect(verify).not.toHaveBeenCalled();
    verify.mockRestore();
  });

  test('of one owner do not delay those of another', async () => {
    const one = createPasswords(1);
    const order: string[] = [];
    const hashed = (name: string, owner: string) => one.hash(name, owner).then(() => order.push(name));
    await Promise.all([
      ...['a1', 'a2', 'a3', 'a4', 'a5'].map((name) => hashed(name, 'mallory')),
      hashed('b', 'ada'),
    ]);
    expect(order.indexOf('b')).toBeLessThan(3);
  });

  test('of one owner are refused when too many wait', async () => {
    const results = await Promise.allSettled(
      Array.from({ length: 60 }, () => createPasswordsOnce.verify('x', null, 'mallory')),
    );
    const refused = results.filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(9);
    expect(refused[0]).toMatchObject({ reason: { code: 'rate_limited' } });
  });

  test('are hashed a few at a time', async () => {
    const two = createPasswords(2);
    const hashes = await Promise.all(
      Array.from({ length: 7 }, (_, index) => two.hash(`password ${index}`, 'ada')),
    );
    const right = await Promise.all(
      hashes.map((hash, index) => two.verify(`password ${index}`, hash, 'ada')),
    );
    expect(right).toEqual(Array(7).fill(true));
  });
});

test('an empty password is rejected even if its hash is stored', async () => {
  const hash = await Bun.password.hash(' ', { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 });
  const verify = spyOn(Bun.password, 'verify');
  expect(await passwords.verify('', hash, 'ada')).toBe(false);
  expect(await passwords.verify('', null, 'ada')).toBe(false);
  expect(verify).not.toHaveBeenCalled();
  verify.mockRestore();
});
