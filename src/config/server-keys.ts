import { scryptSync } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  linkSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { SECOND } from '../kernel/clock.ts';
import { fixedKeys, type ServerKeys } from '../kernel/crypto/vault.ts';
import { codeOf } from '../kernel/errors/code-of.ts';
import { createDataDirectory } from './data-dir.ts';
import { SECRET_LENGTH } from './formats.ts';
import type { Secrets } from './secrets.ts';

const KEY_BYTES = 32;
const KEY_FILE = 'secret.key';
/** Maximum time until a running server uses a new key of the file. */
export const RECHECK_MS = SECOND;

/** Returns the path of the key file of a data directory. */
export function keyFile(dataDir: string): string {
  return join(dataDir, KEY_FILE);
}

/**
 * Returns the server keys from the settings, or else from the key file, which the first start creates with mode 0600.
 * @throws Error when the key file cannot be read or holds no key
 */
export function loadServerKeys({ serverSecret }: Secrets, dataDir: string): ServerKeys {
  if (serverSecret !== null) return fixedKeys(...keysOfSecret(serverSecret));
  createDataDirectory(dataDir);
  const file = keyFile(dataDir);
  if (!existsSync(file)) placeKeyFile(dataDir, keyFileText([newServerKey()]));
  return watchKeyFile(file);
}

export function newServerKey(): Buffer {
  return crypto.getRandomValues(Buffer.alloc(KEY_BYTES));
}

/** Returns the content of a key file: one key per line, newest first. */
export function keyFileText(keys: readonly Buffer[]): string {
  return keys.map((key) => `${key.toString('base64url')}\n`).join('');
}

/**
 * Creates the key file of a data directory unless it exists. Links the complete file into place, so that two
 * processes that start at once read the same key.
 */
function placeKeyFile(dataDir: string, text: string): void {
  createDataDirectory(dataDir);
  const file = keyFile(dataDir);
  const temporary = writeBeside(file, text);
  try {
    linkSync(temporary, file);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Replaces the content of the key file atomically. */
export function replaceKeyFile(dataDir: string, keys: readonly Buffer[]): void {
  const file = keyFile(dataDir);
  renameSync(writeBeside(file, keyFileText(keys)), file);
}

/** Writes a new key file, readable by this user only, under a temporary name; returns its path. */
export function writeBeside(file: string, text: string): string {
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, text, { mode: 0o600, flush: true });
  chmodSync(temporary, 0o600);
  return temporary;
}

/** Reads the file again when it has changed, so that a server uses a new key without a restart. */
function watchKeyFile(file: string): ServerKeys {
  let keys = readKeyFile(file);
  let version = versionOf(file);
  let checkedAt = performance.now();
  const reload = () => {
    checkedAt = performance.now();
    const found = versionOf(file);
    // A server keeps its keys while the file is missing.
    if (found !== null && found !== version) {
      keys = readKeyFile(file);
      version = found;
    }
    return keys;
  };
  return { current: () => (performance.now() - checkedAt < RECHECK_MS ? keys : reload()), reload };
}

function versionOf(file: string): string | null {
  const facts = statSync(file, { throwIfNoEntry: false });
  return facts ? `${facts.ino} ${facts.mtimeMs} ${facts.size}` : null;
}

function readKeyFile(file: string): Buffer[] {
  const lines = textOf(file)
    .split('\n')
    .filter((line) => line.trim() !== '');
  const keys = lines.map((line) => Buffer.from(line.trim(), 'base64url'));
  if (keys.length === 0 || keys.some((key) => key.length !== KEY_BYTES))
    throw new Error(
      `the key file ${file} is damaged: each line must hold ${KEY_BYTES} bytes in base64url. Restore it from a backup.`,
    );
  return keys;
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw unreadableKeyFile(error as NodeJS.ErrnoException, file);
  }
}

/** Returns an error with a sentence for the operator; any other error as it is. */
export function unreadableKeyFile(error: NodeJS.ErrnoException, file: string): Error {
  if (error.code === 'EISDIR')
    return new Error(`the key file ${file} is a directory: replace it with the file from a backup.`);
  if (error.code === 'EACCES' || error.code === 'EPERM')
    return new Error(
      `the key file ${file} is not readable: make this user its owner, and run chmod 600 ${file}`,
    );
  return error;
}

/**
 * Returns the keys of `POSTHOUSE_SECRET`, newest first. A comma separates several keys where each part is long
 * enough; earlier versions took such a text as one key, which therefore follows the others.
 */
function keysOfSecret(text: string): Buffer[] {
  const parts = text.split(',').map((part) => part.trim());
  if (parts.length === 1 || parts.some((part) => part.length < SECRET_LENGTH)) return keysOfPart(text);
  return [...parts.flatMap(keysOfPart), digestKey(text)];
}

/**
 * A random text is hashed once. A text that a person may have made up is stretched, so that guessing it from a
 * copy of the database is slow; earlier versions did not stretch it, so their key follows.
 */
function keysOfPart(text: string): Buffer[] {
  if (looksRandom(text)) return [digestKey(text)];
  // OWASP Password Storage Cheat Sheet: scrypt with N = 2^17, r = 8, p = 1 takes 128 MiB, at each start.
  const stretched = scryptSync(text, 'posthouse key', KEY_BYTES, { N: 2 ** 17, r: 8, p: 1, maxmem: 2 ** 28 });
  return [stretched, digestKey(text)];
}

function digestKey(text: string): Buffer {
  return Buffer.from(new Bun.CryptoHasher('sha256').update(`posthouse key ${text}`).digest());
}

/** Reports whether a text looks like the output of `openssl rand`: hexadecimal, base64 or a similar alphabet. */
function looksRandom(text: string): boolean {
  return /^[\w+/=.~-]+$/.test(text) && /\d/.test(text) && /[a-z]/i.test(text) && new Set(text).size >= 10;
}
