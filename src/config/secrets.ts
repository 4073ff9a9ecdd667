import { chmodSync, existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from './config.ts';
import type { SettingsReader } from './parse.ts';

/** What must never be printed. Kept apart from `Config`, and hidden from loggers and inspectors; so a spread copies nothing. */
export interface Secrets {
  /** Null = the key file in the data directory. */
  serverKey: Buffer | null;
  databaseUrl: string | null;
  s3: { accessKeyId: string; secretAccessKey: string } | null;
  oidcClientSecret: string | null;
  smtp: { user: string; password: string } | null;
  dkimKey: string | null;
  telegramToken: string | null;
  metricsToken: string | null;
}

const SHORTEST_KEY = 32;
const SHORTEST_TOKEN = 16;

/** Step three: the secrets, with a sentence for every one that is wrong or missing (never its value). */
export function readSecrets(read: SettingsReader, config: Config): Secrets {
  const secret = read.text('POSTHOUSE_SECRET');
  if (secret !== null && secret.length < SHORTEST_KEY) read.problem(`POSTHOUSE_SECRET must have ${SHORTEST_KEY} characters or more.`);
  const accessKeyId = read.text('AWS_ACCESS_KEY_ID');
  const secretAccessKey = read.text('AWS_SECRET_ACCESS_KEY');
  return hidden({
    serverKey: secret === null ? null : keyFromText(secret),
    databaseUrl: read.text('POSTHOUSE_DATABASE_URL'),
    s3: config.blobs.kind === 's3' && accessKeyId && secretAccessKey ? hidden({ accessKeyId, secretAccessKey }) : null,
    oidcClientSecret: read.text('POSTHOUSE_OIDC_CLIENT_SECRET'),
    smtp: smtpCredentials(read),
    dkimKey: dkimKey(read),
    telegramToken: telegramToken(read),
    metricsToken: metricsToken(read),
  });
}

function smtpCredentials(read: SettingsReader): Secrets['smtp'] {
  const url = URL.parse(read.text('POSTHOUSE_SMTP_URL') ?? '');
  if (!url?.username && !url?.password) return null;
  if (!url.username || !url.password) read.problem('POSTHOUSE_SMTP_URL has a user without a password, or a password without a user.');
  try {
    return hidden({ user: decodeURIComponent(url.username), password: decodeURIComponent(url.password) });
  } catch {
    read.problem('The user and password in POSTHOUSE_SMTP_URL must be percent-encoded.');
    return null;
  }
}

function dkimKey(read: SettingsReader): string | null {
  const value = read.text('POSTHOUSE_DKIM_KEY');
  if (value === null || value.includes('PRIVATE KEY')) return value?.replaceAll('\\n', '\n') ?? null;
  try {
    const pem = readFileSync(value, 'utf8');
    if (pem.includes('PRIVATE KEY')) return pem;
  } catch {
    // The sentence below covers a file that cannot be read as well.
  }
  read.problem('POSTHOUSE_DKIM_KEY must be a PEM private key or the path of a file that holds one.');
  return null;
}

function telegramToken(read: SettingsReader): string | null {
  const token = read.text('POSTHOUSE_TELEGRAM_TOKEN');
  if (token !== null && !/^\d+:[\w-]+$/.test(token)) read.problem('POSTHOUSE_TELEGRAM_TOKEN must look like 123456:ABC-DEF.');
  return token;
}

function metricsToken(read: SettingsReader): string | null {
  const token = read.text('POSTHOUSE_METRICS_TOKEN');
  if (token !== null && token.length < SHORTEST_TOKEN)
    read.problem(`POSTHOUSE_METRICS_TOKEN must have ${SHORTEST_TOKEN} characters or more.`);
  return token;
}

/** Its fields can be read by name only: whatever enumerates them (JSON, a logger, a spread, an inspector) finds none. */
function hidden<Kept extends object>(kept: Kept): Kept {
  const fields = Object.entries(kept).map(([name, value]) => [name, { value, enumerable: false }] as const);
  return Object.defineProperties({} as Kept, {
    ...Object.fromEntries(fields),
    toJSON: { value: () => '[secrets]', enumerable: false },
    [Symbol.for('nodejs.util.inspect.custom')]: { value: () => '[secrets]', enumerable: false },
  });
}

function keyFromText(text: string): Buffer {
  return Buffer.from(new Bun.CryptoHasher('sha256').update(`posthouse key ${text}`).digest());
}

const KEY_FILE = 'secret.key';

/**
 * The server key: the one that was set, else that of the key file, which is made on the first start with mode 0600.
 * @throws Error when the key file cannot be read or holds no key
 */
export function loadServerKey(secrets: Secrets, dataDir: string): Buffer {
  if (secrets.serverKey) return secrets.serverKey;
  const file = join(dataDir, KEY_FILE);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  if (!existsSync(file)) makeKeyFile(file, keyFileText(crypto.getRandomValues(Buffer.alloc(32))));
  const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64url');
  if (key.length !== 32) throw new Error(`the key file ${KEY_FILE} in the data directory is damaged: it must hold 32 bytes in base64url`);
  return key;
}

/** What a key file of `key` holds. */
export function keyFileText(key: Buffer): string {
  return `${key.toString('base64url')}\n`;
}

/** Makes the key file of a data directory that has none; does nothing where there is one. */
export function placeKeyFile(dataDir: string, text: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  makeKeyFile(join(dataDir, KEY_FILE), text);
}

/** Linked into place whole, so that of two processes that start at once both read the same key. */
function makeKeyFile(file: string, text: string): void {
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, text, { mode: 0o600, flush: true });
  chmodSync(temporary, 0o600);
  try {
    linkSync(temporary, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
}
