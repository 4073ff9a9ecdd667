import { describe, expect, test } from 'bun:test';
import { inspect } from 'node:util';
import pino from 'pino';
import { shapeConfig } from './config.ts';
import type { RawSettings } from './env.ts';
import type { Secrets } from './secrets.ts';
import { SETTINGS } from './settings.ts';

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

  test('are null without settings', () => {
    const { secrets } = shapeConfig({});
    for (const name of SECRET_NAMES) expect(secrets[name]).toBeNull();
  });

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
