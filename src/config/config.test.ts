import { expect, test } from 'bun:test';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { shapeConfig } from './config.ts';

const PEM = '-----BEGIN PRIVATE KEY-----\\nMIIB\\n-----END PRIVATE KEY-----';

test('no settings: SQLite and files in the data directory, the embedded issuer, sandboxes', () => {
  const { config } = shapeConfig({});
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
