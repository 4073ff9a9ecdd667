import { describe, expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import pino from 'pino';
import { createVault } from '../kernel/crypto/vault.ts';
import { ConfigError, shapeConfig } from './config.ts';
import { misspeltSettings, type RawSettings, readSettings } from './env.ts';
import type { Secrets } from './secrets.ts';
import { keyFileText, loadServerKeys, newServerKey, replaceKeyFile } from './server-keys.ts';
import { SETTINGS } from './settings.ts';
import { warningsOf } from './warnings.ts';

const KEY = 'a server key with more than 32 characters';
const PEM = '-----BEGIN PRIVATE KEY-----\\nMIIB\\n-----END PRIVATE KEY-----';

const SECRET_NAMES = [
  'serverSecret',
  'databaseUrl',
  's3',
  'oidcClientSecret',
  'smtp',
  'dkimKey',
  'telegramToken',
  'metricsToken',
] as const satisfies readonly (keyof Secrets)[];

/** The sentences about `raw`; empty = all is well. */
function complaints(raw: RawSettings): readonly string[] {
  try {
    shapeConfig(raw);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

describe('reading', () => {
  test('a flag takes precedence over the environment; empty values count as not set; values are trimmed', () => {
    const raw = readSettings(
      { port: '5000' },
      { PORT: '4000', HOST: '  ', POSTHOUSE_DATA_DIR: ' /srv/data ' },
    );
    expect(raw).toEqual({ PORT: '5000', POSTHOUSE_DATA_DIR: '/srv/data' });
  });

  test('a number of processes, or one for each core', () => {
    const processesOf = (text: string) => shapeConfig({ POSTHOUSE_PROCESSES: text }).config.processes;
    expect([processesOf('1'), processesOf('3'), processesOf('auto')]).toEqual([1, 3, availableParallelism()]);
  });

  test('the processes of a machine share its connections to PostgreSQL', () => {
    const settings = { POSTHOUSE_DATABASE_URL: 'postgres://x/y', POSTHOUSE_DATABASE_CONNECTIONS: '9' };
    const connectionsOf = (processes: string) =>
      shapeConfig({ ...settings, POSTHOUSE_PROCESSES: processes }).config.database;
    expect(connectionsOf('4')).toMatchObject({ connections: 2 });
    expect(connectionsOf('2')).toMatchObject({ connections: 4 });
  });

  test('names and flags are distinct, and every flag follows from its name', () => {
    for (const { name, flag } of SETTINGS)
      expect(flag).toBe(name.replace('POSTHOUSE_', '').toLowerCase().replaceAll('_', '-'));
    expect(new Set(SETTINGS.map(({ flag }) => flag)).size).toBe(SETTINGS.length);
  });

  test('a misspelled name is reported with the right one; foreign variables are ignored', () => {
    expect(misspeltSettings({ POSTHOUSE_SMPT_URL: 'x', POSTHOUSE_OIDC_CLIENTID: 'x' })).toEqual([
      'POSTHOUSE_SMPT_URL is not a setting; POSTHOUSE_SMTP_URL is.',
      'POSTHOUSE_OIDC_CLIENTID is not a setting; POSTHOUSE_OIDC_CLIENT_ID is.',
    ]);
    // Kubernetes sets these for a service named posthouse.
    expect(
      misspeltSettings({
        POSTHOUSE_PORT: 'tcp://10.0.0.1:4000',
        POSTHOUSE_SERVICE_HOST: '10.0.0.1',
        POSTHOUSE_SERVICE_PORT: '4000',
      }),
    ).toEqual([]);
  });
});

describe('shaping', () => {
  test('no settings: SQLite and files in the data directory, the embedded issuer, sandboxes', () => {
    const { config, secrets } = shapeConfig({});
    expect(config).toMatchObject({
      publicUrl: null,
      otherUrls: [],
      database: { kind: 'sqlite', file: join(config.dataDir, 'posthouse.sqlite') },
      blobs: { kind: 'local', directory: join(config.dataDir, 'blobs') },
      externalIssuer: null,
      smtp: null,
      mailFrom: null,
      dkim: null,
    });
    for (const name of SECRET_NAMES) expect(secrets[name]).toBeNull();
  });

  test('the documented defaults are those in use', () => {
    const defaults: RawSettings = Object.fromEntries(
      SETTINGS.filter((setting) => setting.default !== null).map((setting) => [
        setting.name,
        setting.default,
      ]),
    );
    expect(shapeConfig({}).config).toEqual(shapeConfig(defaults).config);
    expect(complaints(defaults)).toEqual([]);
  });

  test('all settings', () => {
    const { config, secrets } = shapeConfig({
      HOST: '::',
      PORT: '0',
      POSTHOUSE_PUBLIC_URL: 'https://files.example.org/, https://mail.example.org',
      POSTHOUSE_SERVICES: 'storage, mail',
      POSTHOUSE_DATABASE_URL: 'postgres://u:p@db.example.org/posthouse',
      POSTHOUSE_S3_URL:
        's3://bucket?endpoint=http%3A%2F%2Flocalhost:9000&public=https%3A%2F%2Fs3.example.org&region=eu-1',
      POSTHOUSE_S3_REDIRECT: 'true',
      AWS_ACCESS_KEY_ID: 'id',
      AWS_SECRET_ACCESS_KEY: 'key',
      POSTHOUSE_OIDC_ISSUER: 'https://login.example.org/realm',
      POSTHOUSE_OIDC_CLIENT_ID: 'posthouse',
      POSTHOUSE_OIDC_CLIENT_SECRET: 'hush',
      POSTHOUSE_OIDC_ALLOW: '@Example.org, Guest@example.com',
      POSTHOUSE_ADMIN_EMAIL: 'Admin@example.org',
      POSTHOUSE_SMTP_URL: 'smtps://us%40er:p%3Aw@[::1]',
      POSTHOUSE_SMTP_TLS_VERIFY: 'false',
      POSTHOUSE_MAIL_FROM: 'Team <team@example.org>',
      POSTHOUSE_DKIM_DOMAIN: 'example.org',
      POSTHOUSE_DKIM_SELECTOR: 's1',
      POSTHOUSE_DKIM_KEY: PEM,
      POSTHOUSE_TELEGRAM_API_URL: 'http://127.0.0.1:8081/',
      POSTHOUSE_DISCORD_API_URL: 'https://chat.example.org/api/',
      POSTHOUSE_TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8, ::1, 2001:db8::/32',
      POSTHOUSE_ALLOW_PRIVATE_HOSTS: 'TRUE',
      POSTHOUSE_CORS_ORIGINS: 'https://www.example.org,http://localhost:8080',
      POSTHOUSE_LOG_LEVEL: 'debug',
    });
    expect(config).toMatchObject({
      host: '::',
      port: 0,
      publicUrl: 'https://files.example.org',
      otherUrls: ['https://mail.example.org'],
      database: { kind: 'postgres', host: 'db.example.org', connections: 10 },
      blobs: {
        kind: 's3',
        bucket: 'bucket',
        endpoint: 'http://localhost:9000',
        publicEndpoint: 'https://s3.example.org',
        region: 'eu-1',
        redirect: true,
      },
      externalIssuer: {
        url: 'https://login.example.org/realm',
        clientId: 'posthouse',
        scope: 'openid email profile',
      },
      accountsAllowed: ['@example.org', 'guest@example.com'],
      adminEmail: 'admin@example.org',
      smtp: { host: '::1', port: 465, security: 'tls', verifyTls: false },
      mailFrom: 'Team <team@example.org>',
      dkim: { domain: 'example.org', selector: 's1' },
      telegram: { apiUrl: 'http://127.0.0.1:8081' },
      discord: { apiUrl: 'https://chat.example.org/api', siteUrl: 'https://chat.example.org' },
      trustedProxies: ['127.0.0.1', '10.0.0.0/8', '::1', '2001:db8::/32'],
      allowPrivateHosts: true,
      corsOrigins: ['https://www.example.org', 'http://localhost:8080'],
      logLevel: 'debug',
    });
    expect([...config.services]).toEqual(['storage', 'mail']);
    expect([secrets.smtp?.user, secrets.smtp?.password]).toEqual(['us@er', 'p:w']);
    expect(secrets.dkimKey).toBe('-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----');
  });

  test.each([
    ['smtp://h', 587, 'opportunistic'],
    ['smtp://h:25?tls=required', 25, 'starttls'],
    ['smtp://h:1025?tls=none', 1025, 'none'],
    ['smtps://h', 465, 'tls'],
    ['smtps://h?tls=required', 465, 'tls'],
  ] as const)('%s', (url, port, security) => {
    const { config } = shapeConfig({ POSTHOUSE_SMTP_URL: url, POSTHOUSE_MAIL_FROM: 'a@example.org' });
    expect(config.smtp).toEqual({ host: 'h', port, security, verifyTls: true });
  });
});

const WRONG: [RawSettings, string][] = [
  [{ PORT: '65536' }, 'PORT must be a whole number from 0 to 65535, not “65536”.'],
  [{ PORT: '4e3' }, 'PORT must be a whole number from 0 to 65535, not “4e3”.'],
  [{ HOST: 'not an address' }, 'HOST must be an IP address or a host name, not “not an address”.'],
  [
    { POSTHOUSE_PUBLIC_URL: 'files.example.org' },
    'POSTHOUSE_PUBLIC_URL must be an address that begins with http:// or https://.',
  ],
  [
    { POSTHOUSE_PUBLIC_URL: 'https://files.example.org,http://mail.example.org' },
    'POSTHOUSE_PUBLIC_URL must have https addresses only, or http ones only.',
  ],
  [
    { POSTHOUSE_PUBLIC_URL: 'https://example.org/files' },
    'POSTHOUSE_PUBLIC_URL must be an origin alone (https://files.example.org), without path, query or user.',
  ],
  [
    { POSTHOUSE_SERVICES: 'storage,post' },
    'POSTHOUSE_SERVICES names “post”, which is none of identity, storage, chat, mail.',
  ],
  [
    { POSTHOUSE_DATABASE_URL: 'mysql://u:hunter2@h/d' },
    'POSTHOUSE_DATABASE_URL must be an address that begins with postgres:// or postgresql://.',
  ],
  [
    { POSTHOUSE_DATABASE_URL: 'postgres://u:hunter2@h/d?sslmode=allow' },
    'POSTHOUSE_DATABASE_URL must have an sslmode of disable, prefer, require, verify-ca, verify-full.',
  ],
  [
    { POSTHOUSE_DATABASE_URL: 'postgres://u:hunter2@h/d?sslmod=require' },
    'POSTHOUSE_DATABASE_URL has the unknown parameter “sslmod”; of TLS, it takes ' +
      'sslmode, sslrootcert, sslcert, sslkey, sslnegotiation.',
  ],
  [
    { POSTHOUSE_DATABASE_URL: 'postgres://u:hunter2@h/d?sslmode=verify-ca' },
    'POSTHOUSE_DATABASE_URL has sslmode=verify-ca without sslrootcert, the authority to trust.',
  ],
  [
    { POSTHOUSE_DATABASE_URL: 'postgres://u:hunter2@h/d?sslmode=verify-full&sslrootcert=/no/such/file' },
    'POSTHOUSE_DATABASE_URL has an sslrootcert that names a file that cannot be read.',
  ],
  [
    { POSTHOUSE_DATABASE_URL: 'postgres://u:hunter2@h/d?sslrootcert=/etc/hosts' },
    'POSTHOUSE_DATABASE_URL has sslrootcert without an sslmode that uses TLS.',
  ],
  [{ POSTHOUSE_PROCESSES: '0' }, 'POSTHOUSE_PROCESSES must be a whole number from 1 to 256, not “0”.'],
  [
    { POSTHOUSE_DATABASE_CONNECTIONS: '1' },
    'POSTHOUSE_DATABASE_CONNECTIONS must be a whole number from 2 to 1000, not “1”.',
  ],
  [
    { POSTHOUSE_DATABASE_LISTEN_URL: 'postgres://u:hunter2@h/d' },
    'POSTHOUSE_DATABASE_LISTEN_URL is set without POSTHOUSE_DATABASE_URL: only PostgreSQL has signals between nodes.',
  ],
  [
    { POSTHOUSE_S3_URL: 's3://b' },
    'POSTHOUSE_S3_URL is set without AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY: S3 needs all of them.',
  ],
  [
    { POSTHOUSE_S3_URL: 's3://b?acl=public', AWS_ACCESS_KEY_ID: 'i', AWS_SECRET_ACCESS_KEY: 'k' },
    'POSTHOUSE_S3_URL has the unknown parameter “acl”; it takes endpoint, public, region.',
  ],
  [
    { POSTHOUSE_S3_URL: 's3://b/folder', AWS_ACCESS_KEY_ID: 'i', AWS_SECRET_ACCESS_KEY: 'k' },
    'POSTHOUSE_S3_URL must be s3://bucket?endpoint=…&region=…, without a path.',
  ],
  [
    {
      POSTHOUSE_S3_URL: 's3://b?endpoint=localhost:9000',
      AWS_ACCESS_KEY_ID: 'i',
      AWS_SECRET_ACCESS_KEY: 'k',
    },
    'POSTHOUSE_S3_URL must have endpoints that begin with http:// or https://.',
  ],
  [
    { POSTHOUSE_S3_REDIRECT: 'True' },
    'POSTHOUSE_S3_REDIRECT is set without POSTHOUSE_S3_URL: only downloads from S3 can be redirected.',
  ],
  [{ POSTHOUSE_SECRET: 'too short' }, 'POSTHOUSE_SECRET must have at least 32 characters.'],
  [{ POSTHOUSE_OIDC_SCOPES: 'email profile' }, 'POSTHOUSE_OIDC_SCOPES must contain openid.'],
  [{ POSTHOUSE_OIDC_SCOPES: 'openid "x"' }, 'POSTHOUSE_OIDC_SCOPES must be scopes separated by spaces.'],
  [
    { POSTHOUSE_OIDC_ISSUER: 'https://login.example.org', POSTHOUSE_OIDC_CLIENT_ID: 'x' },
    'POSTHOUSE_OIDC_ISSUER, POSTHOUSE_OIDC_CLIENT_ID is set without POSTHOUSE_OIDC_CLIENT_SECRET: ' +
      'an external OpenID provider needs all of them.',
  ],
  [
    { POSTHOUSE_OIDC_ALLOW: 'example.org' },
    'POSTHOUSE_OIDC_ALLOW has “example.org”, which is neither an address nor an @domain.',
  ],
  [{ POSTHOUSE_ADMIN_EMAIL: 'admin' }, 'POSTHOUSE_ADMIN_EMAIL must be one e-mail address, not “admin”.'],
  [
    { POSTHOUSE_SMTP_URL: 'smtp://h' },
    'POSTHOUSE_SMTP_URL is set without POSTHOUSE_MAIL_FROM: mails need a sender.',
  ],
  [
    { POSTHOUSE_SMTP_URL: 'smtp://h', POSTHOUSE_MAIL_FROM: 'a@example.org\r\nBcc: b@example.org' },
    'POSTHOUSE_MAIL_FROM must be an address, alone or as “Name <name@example.org>”.',
  ],
  [
    { POSTHOUSE_SMTP_NAME: 'mail server' },
    'POSTHOUSE_SMTP_NAME must be a domain name, or an address in brackets.',
  ],
  [
    { POSTHOUSE_MAIL_FROM: 'nobody' },
    'POSTHOUSE_MAIL_FROM must be an address, alone or as “Name <name@example.org>”.',
  ],
  [
    { POSTHOUSE_SMTP_URL: 'smtp://h?pool=1', POSTHOUSE_MAIL_FROM: 'a@example.org' },
    'POSTHOUSE_SMTP_URL has the unknown parameter “pool”; it takes tls.',
  ],
  [
    { POSTHOUSE_SMTP_URL: 'smtp://h?tls=yes', POSTHOUSE_MAIL_FROM: 'a@example.org' },
    'POSTHOUSE_SMTP_URL must have tls=required, tls=none or no tls.',
  ],
  [
    { POSTHOUSE_SMTP_URL: 'smtps://h?tls=none', POSTHOUSE_MAIL_FROM: 'a@example.org' },
    'POSTHOUSE_SMTP_URL has smtps and tls=none, which contradict each other.',
  ],
  [
    { POSTHOUSE_SMTP_URL: 'smtp://user@h', POSTHOUSE_MAIL_FROM: 'a@example.org' },
    'POSTHOUSE_SMTP_URL has a user without a password, or a password without a user.',
  ],
  [
    { POSTHOUSE_SMTP_URL: 'smtp://u:%E0%A4@h', POSTHOUSE_MAIL_FROM: 'a@example.org' },
    'POSTHOUSE_SMTP_URL must have its user and password percent-encoded.',
  ],
  [
    { POSTHOUSE_DKIM_DOMAIN: 'example.org' },
    'POSTHOUSE_DKIM_DOMAIN is set without POSTHOUSE_DKIM_SELECTOR, POSTHOUSE_DKIM_KEY: DKIM signing needs all of them.',
  ],
  [
    {
      POSTHOUSE_DKIM_DOMAIN: 'example.org',
      POSTHOUSE_DKIM_SELECTOR: 's',
      POSTHOUSE_DKIM_KEY: '/there/is/no/such/file',
    },
    'POSTHOUSE_DKIM_KEY must be a PEM private key or the path of a file that holds one.',
  ],
  [{ POSTHOUSE_TELEGRAM_TOKEN: 'my token' }, 'POSTHOUSE_TELEGRAM_TOKEN must look like 123456:ABC-DEF.'],
  [
    { POSTHOUSE_TELEGRAM_API_URL: 'api.telegram.org' },
    'POSTHOUSE_TELEGRAM_API_URL must be an address that begins with http:// or https://.',
  ],
  [
    { POSTHOUSE_DISCORD_API_URL: 'ftp://x' },
    'POSTHOUSE_DISCORD_API_URL must be an address that begins with http:// or https://.',
  ],
  [
    { POSTHOUSE_DISCORD_SITE_URL: 'ftp://x' },
    'POSTHOUSE_DISCORD_SITE_URL must be an address that begins with http:// or https://.',
  ],
  [
    { POSTHOUSE_MAX_FILE_BYTES: '200MB' },
    'POSTHOUSE_MAX_FILE_BYTES must be a whole number from 1 to 1099511627776, not “200MB”.',
  ],
  [
    { POSTHOUSE_WORKSPACE_BYTES: '0' },
    'POSTHOUSE_WORKSPACE_BYTES must be a whole number from 1 to 1125899906842624, not “0”.',
  ],
  [{ POSTHOUSE_VERSION_DAYS: 'x' }, 'POSTHOUSE_VERSION_DAYS must be a whole number from 0 to 3650, not “x”.'],
  [{ POSTHOUSE_TRASH_DAYS: '-1' }, 'POSTHOUSE_TRASH_DAYS must be a whole number from 0 to 3650, not “-1”.'],
  [
    { POSTHOUSE_WORKSPACE_CREATORS: 'users' },
    'POSTHOUSE_WORKSPACE_CREATORS must be one of admins, everyone, not “users”.',
  ],
  [{ POSTHOUSE_CHAT_BURST: '0' }, 'POSTHOUSE_CHAT_BURST must be a whole number from 1 to 1000000, not “0”.'],
  [
    { POSTHOUSE_CHAT_PER_MINUTE: 'many' },
    'POSTHOUSE_CHAT_PER_MINUTE must be a whole number from 1 to 1000000, not “many”.',
  ],
  [
    { POSTHOUSE_TRUSTED_PROXIES: '10.0.0.0/33' },
    'POSTHOUSE_TRUSTED_PROXIES has “10.0.0.0/33”, which is neither an IP address nor a CIDR range.',
  ],
  [
    { POSTHOUSE_TRUSTED_PROXIES: 'proxy' },
    'POSTHOUSE_TRUSTED_PROXIES has “proxy”, which is neither an IP address nor a CIDR range.',
  ],
  [
    { POSTHOUSE_TRUSTED_PROXIES: 'fe80::1%eth0' },
    'POSTHOUSE_TRUSTED_PROXIES has “fe80::1%eth0”, which is neither an IP address nor a CIDR range.',
  ],
  [{ POSTHOUSE_SMTP_TLS_VERIFY: 'no' }, 'POSTHOUSE_SMTP_TLS_VERIFY must be true or false, not “no”.'],
  [{ POSTHOUSE_TRACK_OPENS: 'sometimes' }, 'POSTHOUSE_TRACK_OPENS must be true or false, not “sometimes”.'],
  [
    { POSTHOUSE_ALLOW_PRIVATE_HOSTS: 'yes' },
    'POSTHOUSE_ALLOW_PRIVATE_HOSTS must be true or false, not “yes”.',
  ],
  [
    { POSTHOUSE_CORS_ORIGINS: 'https://example.org/' },
    'POSTHOUSE_CORS_ORIGINS has “https://example.org/”, which is not an origin such as https://www.example.org.',
  ],
  [
    { POSTHOUSE_CORS_ORIGINS: '*' },
    'POSTHOUSE_CORS_ORIGINS has “*”, which is not an origin such as https://www.example.org.',
  ],
  [{ POSTHOUSE_GEOIP_DB: '/there/is/no/such/file' }, 'POSTHOUSE_GEOIP_DB names a file that cannot be read.'],
  [
    { POSTHOUSE_LOG_LEVEL: 'verbose' },
    'POSTHOUSE_LOG_LEVEL must be one of trace, debug, info, warn, error, silent, not “verbose”.',
  ],
];

describe('an invalid setting', () => {
  test.each(WRONG)('%j', (raw, sentence) => {
    expect(complaints(raw)).toEqual([sentence]);
  });

  test('is reported with all others', () => {
    const both = complaints({
      PORT: 'x',
      POSTHOUSE_SECRET: 'y',
      POSTHOUSE_SMTP_URL: 'smtp://h',
      POSTHOUSE_LOG_LEVEL: 'z',
    });
    expect(both.map((sentence) => sentence.split(' ')[0])).toEqual([
      'PORT',
      'POSTHOUSE_SECRET',
      'POSTHOUSE_LOG_LEVEL',
      'POSTHOUSE_SMTP_URL',
    ]);
  });

  test('has a case here for every setting that can be invalid', () => {
    const anything = [
      'POSTHOUSE_DATA_DIR',
      'AWS_ACCESS_KEY_ID',
      'AWS_SECRET_ACCESS_KEY',
      'POSTHOUSE_OIDC_CLIENT_ID',
      'POSTHOUSE_OIDC_CLIENT_SECRET',
      'POSTHOUSE_DKIM_SELECTOR',
      'POSTHOUSE_METRICS_TOKEN',
    ];
    const covered = new Set(
      WRONG.flatMap(([, sentence]) =>
        SETTINGS.map(({ name }) => name).filter((name) => sentence.includes(name)),
      ),
    );
    expect(
      SETTINGS.map(({ name }) => name as string).filter(
        (name) => !anything.includes(name) && !covered.has(name as never),
      ),
    ).toEqual([]);
  });

  test('is reported without its value if that may be a secret', () => {
    const secret = 'hunter2hunter2';
    for (const { name, secret: isSecret } of SETTINGS) {
      if (isSecret)
        for (const value of [secret, `x://user:${secret}@host`, `smtp://${secret}@h`])
          expect(complaints({ [name]: value }).join()).not.toContain(secret);
    }
  });
});

describe('secrets', () => {
  const marked: RawSettings = {
    POSTHOUSE_DATABASE_URL: 'postgres://u:MARK1@h/d',
    POSTHOUSE_DATABASE_LISTEN_URL: 'postgres://u:MARK11@h/d',
    POSTHOUSE_S3_URL: 's3://b',
    AWS_ACCESS_KEY_ID: 'MARK2',
    AWS_SECRET_ACCESS_KEY: 'MARK3',
    POSTHOUSE_SECRET: `MARK4${KEY}`,
    POSTHOUSE_OIDC_ISSUER: 'https://login.example.org',
    POSTHOUSE_OIDC_CLIENT_ID: 'x',
    POSTHOUSE_OIDC_CLIENT_SECRET: 'MARK5',
    POSTHOUSE_SMTP_URL: 'smtp://MARK6:MARK7@h',
    POSTHOUSE_MAIL_FROM: 'a@example.org',
    POSTHOUSE_DKIM_DOMAIN: 'example.org',
    POSTHOUSE_DKIM_SELECTOR: 's',
    POSTHOUSE_DKIM_KEY: `${PEM}MARK8`,
    POSTHOUSE_TELEGRAM_TOKEN: '123456:MARK9',
    POSTHOUSE_METRICS_TOKEN: 'MARK0MARK0MARK0MARK0',
  };

  test('are all read, so that the following tests are meaningful', () => {
    const { secrets } = shapeConfig(marked);
    for (const name of SECRET_NAMES) expect(secrets[name]).not.toBeNull();
    const given = SETTINGS.filter(({ secret }) => secret).map(({ name }) => name);
    expect(given.filter((name) => !/MARK/.test(marked[name] ?? ''))).toEqual([]);
  });

  test('stay hidden when settings are printed in any way', () => {
    const { config, secrets } = shapeConfig(marked);
    let logged = '';
    const write = (line: string) => {
      logged += line;
    };
    const log = pino({}, { write });
    for (const value of [{ config, secrets }, secrets, { ...secrets }, { smtp: secrets.smtp }])
      log.info(value, 'started');
    const printed = [
      config,
      secrets,
      { ...secrets },
      secrets.smtp,
      secrets.s3,
      { config, secrets },
      [secrets],
      new Map([['secrets', secrets]]),
    ].flatMap((value) => [
      JSON.stringify(value),
      inspect(value, { depth: null }),
      inspect(value, { depth: null, showHidden: true }),
      Bun.inspect(value),
      String(value),
    ]);
    for (const text of [...printed, logged]) {
      expect(text).not.toMatch(/MARK/);
    }
  });

  test('console.log hides them too', () => {
    const script = `
      import { shapeConfig } from './config.ts';
      const both = shapeConfig(${JSON.stringify(marked)});
      console.log(both, both.secrets);
      console.dir(both.secrets);
      console.error(both);
      console.table(both.secrets);
    `;
    const { stdout, stderr, exitCode } = Bun.spawnSync([process.execPath, '-e', script], {
      cwd: import.meta.dir,
    });
    expect(exitCode).toBe(0);
    expect(stdout.toString()).toContain('[secrets]');
    expect(`${stdout}${stderr}`).not.toMatch(/MARK/);
  });
});

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
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  test('of a random secret are that of earlier versions', () => {
    expect(ofSecret(RANDOM).keyIds()).toEqual(earlier(RANDOM).keyIds());
  });

  test('of a secret that a person made up are stretched, and open what earlier versions sealed', () => {
    const [newest, ...older] = ofSecret(KEY).keyIds();
    expect(ofSecret(KEY).keyIds()).toEqual([newest ?? '', ...older]);
    expect(older).toEqual(earlier(KEY).keyIds());
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

test.each([
  ['short', ['POSTHOUSE_METRICS_TOKEN can be guessed: set it to 16 random characters or more.']],
  ['x'.repeat(16), []],
])('the metrics token %s leads to the warnings %j at the start', (token, warnings) => {
  const { config, secrets } = shapeConfig({ POSTHOUSE_SECRET: KEY, POSTHOUSE_METRICS_TOKEN: token });
  expect(warningsOf(config, secrets)).toEqual(warnings);
});
