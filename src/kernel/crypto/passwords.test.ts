import { afterAll, describe, expect, test } from 'bun:test';
import { createLog } from '../log.ts';
import { createArgon2id } from './argon2id.ts';
import { createArgon2idChildren } from './argon2id-children.ts';
import { createPasswords } from './passwords.ts';

const inProcess = createArgon2id();
const children = createArgon2idChildren({ log: createLog('silent'), children: 1 });
afterAll(children.stop);

describe.each([
  ['this process', inProcess],
  ['a child', children],
])('passwords in %s', (_, argon2id) => {
  const passwords = createPasswords(argon2id);

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

  test('are compared completely, even beyond 72 bytes', async () => {
    const hash = await passwords.hash(`${'x'.repeat(100)}a`, 'ada');
    expect(await passwords.verify(`${'x'.repeat(100)}b`, hash, 'ada')).toBe(false);
    expect(await passwords.verify(`${'x'.repeat(100)}a`, hash, 'ada')).toBe(true);
  });

  test('are wrong for a missing account and a damaged hash', async () => {
    expect(await passwords.verify('a password that nobody has', null, 'ada')).toBe(false);
    expect(await passwords.verify('anything', 'no hash', 'ada')).toBe(false);
  });
});

test('no hash is computed for empty and too long passwords', async () => {
  const verified: string[] = [];
  const verify = async (password: string) => verified.push(password) > 0;
  const passwords = createPasswords({ ...inProcess, verify });
  for (const password of ['', 'x'.repeat(1_025)])
    for (const hash of [null, '$argon2id$'])
      expect(await passwords.verify(password, hash, 'ada')).toBe(false);
  expect(verified).toEqual([]);
});

test('a hash is verified even for a missing account', async () => {
  const hashes: string[] = [];
  const verify = async (_: string, hash: string) => hashes.push(hash) > 0;
  const passwords = createPasswords({ ...inProcess, verify });
  expect(await passwords.verify('right', null, 'ada')).toBe(false);
  expect(hashes[0]).toStartWith(
    (await inProcess.hash('x')).slice(0, '$argon2id$v=19$m=19456,t=2,p=1$'.length),
  );
});

describe('children', () => {
  const passwords = createPasswords(children);

  test('compute hashes at the given cost', async () => {
    const cost = { memoryCost: 16, timeCost: 1 };
    const cheap = createArgon2idChildren({ log: createLog('silent'), children: 1, cost });
    expect(await cheap.hash('x', 'ada')).toStartWith('$argon2id$v=19$m=16,t=1,p=1$');
    cheap.stop();
  });

  test('compute the passwords of owners in turn', async () => {
    const order: string[] = [];
    const hashed = (name: string, owner: string) => passwords.hash(name, owner).then(() => order.push(name));
    await Promise.all([
      ...['a1', 'a2', 'a3', 'a4', 'a5'].map((name) => hashed(name, 'mallory')),
      hashed('b', 'ada'),
    ]);
    expect(order.indexOf('b')).toBeLessThan(3);
  });

  test('refuse further passwords of an owner with too many waiting', async () => {
    const stopped = createArgon2idChildren({ log: createLog('silent'), children: 1 });
    const waiting = Array.from({ length: 60 }, () => createPasswords(stopped).verify('x', null, 'mallory'));
    stopped.stop();
    const results = await Promise.allSettled(waiting);
    const refused = results.filter(
      (result) => result.status === 'rejected' && result.reason.code === 'rate_limited',
    );
    expect(refused).toHaveLength(9);
  });

  test('receive passwords through their pipe only', async () => {
    const secret = 'a password that is in no argument and no variable';
    const hashing = passwords.hash(secret, 'ada');
    const { stdout } = Bun.spawnSync(['sh', '-c', 'cat /proc/*/cmdline /proc/*/environ 2>/dev/null']);
    expect(stdout.toString()).not.toContain(secret);
    await hashing;
  });
});
