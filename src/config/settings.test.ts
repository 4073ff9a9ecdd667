import { describe, expect, test } from 'bun:test';
import { ConfigError, shapeConfig } from './config.ts';
import type { RawSettings } from './env.ts';
import { SETTINGS } from './settings.ts';

/** The sentences about `raw`; empty = it is valid. */
function complaints(raw: RawSettings): readonly string[] {
  try {
    shapeConfig(raw);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

test('names and flags are distinct, and every flag follows from its name', () => {
  for (const { name, flag } of SETTINGS)
    expect(flag).toBe(name.replace('POSTHOUSE_', '').toLowerCase().replaceAll('_', '-'));
  expect(new Set(SETTINGS.map(({ flag }) => flag)).size).toBe(SETTINGS.length);
});

test('the documented defaults are those in use', () => {
  const defaults: RawSettings = Object.fromEntries(
    SETTINGS.filter((setting) => setting.default !== null).map((setting) => [setting.name, setting.default]),
  );
  expect(shapeConfig({}).config).toEqual(shapeConfig(defaults).config);
  expect(complaints(defaults)).toEqual([]);
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
    'POSTHOUSE_PUBLIC_URL must have only https addresses, or only http addresses.',
  ],
  [
    { POSTHOUSE_PUBLIC_URL: 'https://example.org/files' },
    'POSTHOUSE_PUBLIC_URL must be an origin alone (https://files.example.org), without path, query or user.',
  ],
  [
    { POSTHOUSE_SERVICES: 'storage,post' },
    'POSTHOUSE_SERVICES names “post”, which is not one of identity, storage, chat, mail.',
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
    'POSTHOUSE_DATABASE_URL has the unknown parameter “sslmod”; the parameters of TLS are ' +
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
  [
    { POSTHOUSE_S3_REDIRECT: '1' },
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
    'POSTHOUSE_SMTP_URL is set without POSTHOUSE_MAIL_FROM: e-mails need a sender.',
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
