import { chmodSync, existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SettingValues } from './settings.ts';

/** Values that must never be printed: separate from `Config`, and hidden from loggers, inspectors and spreads. */
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

export function shapeSecrets(values: SettingValues): Secrets {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = values;
  const hasS3 = values.POSTHOUSE_S3_URL && accessKeyId && secretAccessKey;
  const credentials = values.POSTHOUSE_SMTP_URL?.credentials;
  return hidden({
    serverKey: values.POSTHOUSE_SECRET === null ? null : keyFromText(values.POSTHOUSE_SECRET),
    databaseUrl: values.POSTHOUSE_DATABASE_URL?.url ?? null,
    s3: hasS3 ? hidden({ accessKeyId, secretAccessKey }) : null,
    oidcClientSecret: values.POSTHOUSE_OIDC_CLIENT_SECRET,
    smtp: credentials ? hidden(credentials) : null,
    dkimKey: values.POSTHOUSE_DKIM_KEY,
    telegramToken: values.POSTHOUSE_TELEGRAM_TOKEN,
    metricsToken: values.POSTHOUSE_METRICS_TOKEN,
  });
}

/** Returns an object whose fields can be read by name only. Enumeration (JSON, a logger, a spread) finds none. */
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
 * Returns the server key: of the settings, else of the key file, which the first start creates with mode 0600.
 * @throws Error when the key file cannot be read or holds no key
 */
export function loadServerKey(secrets: Secrets, dataDir: string): Buffer {
  if (secrets.serverKey) return secrets.serverKey;
  const file = join(dataDir, KEY_FILE);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  if (!existsSync(file)) createKeyFile(file, keyFileText(crypto.getRandomValues(Buffer.alloc(32))));
  const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64url');
  if (key.length !== 32)
    throw new Error(`the key file ${KEY_FILE} is damaged: it must hold 32 bytes in base64url`);
  return key;
}

/** Returns the content of a key file. */
export function keyFileText(key: Buffer): string {
  return `${key.toString('base64url')}\n`;
}

/** Creates the key file of a data directory unless it exists. */
export function placeKeyFile(dataDir: string, text: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  createKeyFile(join(dataDir, KEY_FILE), text);
}

/** Links the complete file into place, so that two processes that start at once read the same key. */
function createKeyFile(file: string, text: string): void {
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
