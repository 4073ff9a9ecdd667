import { describe, expect, test } from 'bun:test';
import { scryptSync } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createVault } from '../kernel/crypto/vault.ts';
import { shapeConfig } from './config.ts';
import {
  keyFileText,
  loadServerKeys,
  newServerKey,
  replaceKeyFile,
  unreadableKeyFile,
} from './server-keys.ts';

const KEY = 'a server key with more than 32 characters';

describe('the server keys', () => {
  const ofSecret = (secret: string) =>
    createVault(loadServerKeys(shapeConfig({ POSTHOUSE_SECRET: secret }).secrets, '/no/such/directory'));
  /** The key of `POSTHOUSE_SECRET` in the first version. */
  const earlier = (secret: string) =>
    createVault(Buffer.from(new Bun.CryptoHasher('sha256').update(`posthouse key ${secret}`).digest()));
  const RANDOM = 'q83UuKz0n5mYb1xH7WcVt2JdRe9sLfPa';

  test('are created once, in a file that only its owner can read, and are read again after a change', () => {
    const directory = mkdtempSync(join(tmpdir(), 'posthouse-key-'));
    try {
      const { secrets } = shapeConfig({});
      const dataDir = join(directory, 'data');
      const file = join(dataDir, 'secret.key');
      const keys = loadServerKeys(secrets, dataDir);
      const [key = Buffer.alloc(0), ...more] = keys.current();
      expect([key.length, more.length]).toEqual([32, 0]);
      expect(loadServerKeys(secrets, dataDir).current()).toEqual([key]);
      expect(statSync(file).mode & 0o777).toBe(0o600);
      expect(statSync(dataDir).mode & 0o777).toBe(0o700);
      expect(readFileSync(file, 'utf8').trim()).toBe(key.toString('base64url'));
      const newer = newServerKey();
      replaceKeyFile(dataDir, [newer, key]);
      expect(statSync(file).mode & 0o777).toBe(0o600);
      expect(keys.reload()).toEqual([newer, key]);
      expect(keys.current()).toEqual([newer, key]);
      rmSync(file);
      expect(keys.reload()).toEqual([newer, key]);
      for (const damaged of ['', 'short', `${keyFileText([key])}short`]) {
        writeFileSync(file, damaged);
        expect(() => loadServerKeys(secrets, dataDir)).toThrow('is damaged');
      }
      rmSync(file);
      mkdirSync(file);
      expect(() => loadServerKeys(secrets, dataDir)).toThrow(
        `the key file ${file} is a directory: replace it`,
      );
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  test('in a file of another user are reported in a sentence', () => {
    const refused = Object.assign(new Error('EACCES'), { code: 'EACCES' });
    expect(unreadableKeyFile(refused, '/data/secret.key').message).toBe(
      'the key file /data/secret.key is not readable: make this user its owner, and run chmod 600 /data/secret.key',
    );
  });

  test('of a random secret are that of earlier versions', () => {
    expect(ofSecret(RANDOM).keyIds()).toEqual(earlier(RANDOM).keyIds());
  });

  test('of a secret that a person made up are stretched, and open the values that earlier versions sealed', () => {
    const cost = { N: 131_072, r: 8, p: 1, maxmem: 268_435_456 };
    const stretched = createVault(scryptSync(KEY, 'posthouse key', 32, cost));
    expect(ofSecret(KEY).keyIds()).toEqual([...stretched.keyIds(), ...earlier(KEY).keyIds()]);
  });

  test('of a list are its parts, the first of which is the newest', () => {
    const list = `${'a1'.repeat(4)}${RANDOM}, ${RANDOM}`;
    const [first, second, whole] = ofSecret(list).keyIds();
    expect(second).toBe(earlier(RANDOM).keyIds()[0] ?? '');
    expect(first).toBe(earlier(`a1a1a1a1${RANDOM}`).keyIds()[0] ?? '');
    // Earlier versions took it as one key.
    expect(whole).toBe(earlier(list).keyIds()[0] ?? '');
    expect(ofSecret(`${RANDOM}, and more`).keyIds()).toHaveLength(2);
  });
});
