import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BACKENDS, freshDirectory, freshSettings } from './harness/backends.ts';
import { mmdb } from './harness/mmdb.ts';
import { type Posthouse, runCommand, startPosthouse } from './harness/posthouse.ts';
import { startSmtpStandIn } from './stand-ins/smtp.ts';

interface Report {
  ok: boolean;
  parts: { name: string; ok: boolean; detail: string }[];
}

/** Returns the results of `posthouse doctor`; its exit status must match. */
async function runDoctor(
  settings: Record<string, string>,
): Promise<{ ok: boolean; details: Record<string, string>; wrong: string[] }> {
  const { status, stdout, stderr } = await runCommand(settings, 'doctor', '--json');
  expect(stderr).toBe('');
  expect(stdout.trim().split('\n')).toHaveLength(1);
  const { ok, parts } = JSON.parse(stdout) as Report;
  expect(status).toBe(ok ? 0 : 1);
  expect(ok).toBe(parts.every((part) => part.ok));
  return {
    ok,
    details: Object.fromEntries(parts.map(({ name, detail }) => [name, detail])),
    wrong: parts.filter((part) => !part.ok).map(({ name }) => name),
  };
}

const PARTS = [
  'settings',
  'data directory',
  'database',
  'signals',
  'key',
  'blobs',
  'issuer',
  'smtp',
  'geolocation',
  'discord',
  'telegram',
  'services',
  'public url',
  'clock',
  'confinement',
];

describe.each(BACKENDS)('doctor during the run of a server on %s', (backend) => {
  let posthouse: Posthouse;
  beforeAll(async () => {
    posthouse = await startPosthouse(await freshSettings(backend));
  });
  afterAll(() => posthouse.stop());

  test('passes all checks', async () => {
    const { ok, details, wrong } = await runDoctor(posthouse.settings);
    expect({ ok, wrong }).toEqual({ ok: true, wrong: [] });
    expect(Object.keys(details)).toEqual(PARTS);
    expect(details.database).toMatch(backend === 'sqlite+local' ? /^SQLite 3\.\d+/ : /^PostgreSQL \d+/);
    expect(details.database).toContain('schema up to date');
    if (backend === 'postgres+s3') {
      expect(details.database).toContain(', without encryption, ');
      expect(details.signals).toBe('Signals between nodes arrive.');
    }
    expect(details.blobs).toContain('to write, read and delete');
    if (process.platform === 'linux') expect(details.confinement).toContain('cannot access files, networks');
  });

  test('detects another key', async () => {
    const { wrong, details } = await runDoctor({
      ...posthouse.settings,
      POSTHOUSE_SECRET: 'another key, of more than 32 characters',
    });
    expect(wrong).toEqual(['key']);
    expect(details.key).toContain('not the key of this database');
  });
});

test('doctor changes nothing in a new directory', async () => {
  const dataDir = join(freshDirectory(), 'data');
  const { ok } = await runDoctor({ POSTHOUSE_DATA_DIR: dataDir });
  expect(ok).toBe(true);
  expect(await Bun.file(join(dataDir, 'secret.key')).exists()).toBe(false);
  expect(() => mkdirSync(dataDir)).not.toThrow();
});

test('doctor reports invalid settings as a failed check', async () => {
  const { details, wrong } = await runDoctor({ PORT: 'x', POSTHOUSE_SECRET: 'hunter2' });
  expect(wrong).toEqual(['settings']);
  expect(details.settings).toBe(
    'PORT must be a whole number from 0 to 65535, not “x”. POSTHOUSE_SECRET must have at least 32 characters.',
  );
});

test('doctor reports the fault of every unreachable peer, without secrets', async () => {
  const { details, wrong } = await runDoctor({
    POSTHOUSE_DATA_DIR: freshDirectory(),
    POSTHOUSE_DATABASE_URL: 'postgres://user:hunter2hunter2@127.0.0.1:1/none',
    POSTHOUSE_S3_URL: 's3://bucket?endpoint=http%3A%2F%2F127.0.0.1%3A1&region=x',
    AWS_ACCESS_KEY_ID: 'hunter2hunter2',
    AWS_SECRET_ACCESS_KEY: 'hunter2hunter2',
    POSTHOUSE_SMTP_URL: 'smtp://user:hunter2hunter2@127.0.0.1:1',
    POSTHOUSE_MAIL_FROM: 'a@example.org',
    POSTHOUSE_TELEGRAM_TOKEN: '123456:hunter2hunter2',
    POSTHOUSE_TELEGRAM_API_URL: 'http://127.0.0.1:1',
    POSTHOUSE_DISCORD_API_URL: 'http://127.0.0.1:1/api',
    POSTHOUSE_OIDC_ISSUER: 'http://127.0.0.1:1',
    POSTHOUSE_OIDC_CLIENT_ID: 'x',
    POSTHOUSE_OIDC_CLIENT_SECRET: 'hunter2hunter2',
    POSTHOUSE_PUBLIC_URL: 'http://files.example.org',
  });
  expect(wrong).toEqual([
    'database',
    'signals',
    'blobs',
    'issuer',
    'smtp',
    'discord',
    'telegram',
    'public url',
  ]);
  expect(JSON.stringify(details)).not.toContain('hunter2');
  for (const part of wrong) expect(details[part]).toMatch(/(?:Check|put) .+/);
});

test('doctor authenticates to the mail server', async () => {
  const server = await startSmtpStandIn({ user: { name: 'team', password: 'right password' } });
  const settings = (password: string) => ({
    POSTHOUSE_DATA_DIR: freshDirectory(),
    POSTHOUSE_SMTP_URL: `smtp://team:${encodeURIComponent(password)}@${server.host}:${server.port}`,
    POSTHOUSE_MAIL_FROM: 'team@example.org',
  });
  try {
    const right = await runDoctor(settings('right password'));
    expect(right.wrong).toEqual([]);
    expect(right.details.smtp).toContain('accepts the credentials');
    const wrong = await runDoctor(settings('wrong password'));
    expect(wrong.wrong).toEqual(['smtp']);
    expect(wrong.details.smtp).toContain('Check POSTHOUSE_SMTP_URL');
    expect(wrong.details.smtp).not.toContain('wrong password');
  } finally {
    await server.stop();
  }
});

test('doctor verifies the mail server’s certificate, unless verification is disabled', async () => {
  const server = await startSmtpStandIn({ tls: 'tls', certificate: 'stranger' });
  const settings = {
    POSTHOUSE_DATA_DIR: freshDirectory(),
    POSTHOUSE_SMTP_URL: `smtps://localhost:${server.port}`,
    POSTHOUSE_MAIL_FROM: 'team@example.org',
  };
  try {
    const strict = await runDoctor(settings);
    expect(strict.wrong).toEqual(['smtp']);
    expect(strict.details.smtp).toContain('POSTHOUSE_SMTP_TLS_VERIFY');
    const lenient = await runDoctor({ ...settings, POSTHOUSE_SMTP_TLS_VERIFY: 'false' });
    expect(lenient.wrong).toEqual([]);
    expect(lenient.details.smtp).toContain('(TLS, certificate not verified)');
  } finally {
    await server.stop();
  }
});

test('doctor checks the Telegram token and the issuer’s name', async () => {
  using peer = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request): Response {
      const { pathname, origin } = new URL(request.url);
      if (pathname === '/bot123456:right/getMe')
        return Response.json({ ok: true, result: { username: 'our_bot' } });
      if (pathname === '/good/.well-known/openid-configuration')
        return Response.json({ issuer: `${origin}/good` });
      if (pathname === '/other/.well-known/openid-configuration')
        return Response.json({ issuer: 'https://other.example.org' });
      return Response.json({ ok: false }, { status: 401 });
    },
  });
  const settings = (token: string, issuer: string) => ({
    POSTHOUSE_DATA_DIR: freshDirectory(),
    POSTHOUSE_TELEGRAM_TOKEN: token,
    POSTHOUSE_TELEGRAM_API_URL: peer.url.origin,
    POSTHOUSE_OIDC_ISSUER: `${peer.url.origin}/${issuer}`,
    POSTHOUSE_OIDC_CLIENT_ID: 'x',
    POSTHOUSE_OIDC_CLIENT_SECRET: 'y',
  });
  const good = await runDoctor(settings('123456:right', 'good'));
  expect(good.wrong).toEqual([]);
  expect(good.details.telegram).toContain('@our_bot');
  const bad = await runDoctor(settings('123456:wrong', 'other'));
  expect(bad.wrong).toEqual(['issuer', 'telegram']);
  expect(bad.details.issuer).toContain('https://other.example.org');
  expect(bad.details.telegram).not.toContain('123456:wrong');
});

test('doctor reads the geolocation database', async () => {
  const dataDir = freshDirectory();
  const file = join(dataDir, 'city.mmdb');
  writeFileSync(file, mmdb({ '193.99.144.0/24': { country: { iso_code: 'DE' } } }));
  const good = await runDoctor({ POSTHOUSE_DATA_DIR: dataDir, POSTHOUSE_GEOIP_DB: file });
  expect(good.wrong).toEqual([]);
  expect(good.details.geolocation).toStartWith(`${file}; `);
  writeFileSync(file, 'no database');
  for (const path of [file, dataDir]) {
    const { wrong, details } = await runDoctor({ POSTHOUSE_DATA_DIR: dataDir, POSTHOUSE_GEOIP_DB: path });
    expect(wrong).toEqual(['geolocation']);
    expect(details.geolocation).toContain('Set POSTHOUSE_GEOIP_DB to a MaxMind database');
  }
});

test('doctor reports files that other users can read or replace', async () => {
  const dataDir = freshDirectory();
  writeFileSync(join(dataDir, 'secret.key'), `${Buffer.alloc(32, 1).toString('base64url')}\n`);
  chmodSync(dataDir, 0o775);
  chmodSync(join(dataDir, 'secret.key'), 0o644);
  const { wrong, details } = await runDoctor({ POSTHOUSE_DATA_DIR: dataDir });
  expect(wrong).toEqual(['data directory', 'key']);
  expect(details['data directory']).toContain(`chmod 700 ${dataDir}`);
  expect(details.key).toContain('chmod 600');
});

test('doctor accepts a data directory that other users can list, and recommends a private one', async () => {
  const dataDir = freshDirectory();
  chmodSync(dataDir, 0o755);
  const { wrong, details } = await runDoctor({ POSTHOUSE_DATA_DIR: dataDir });
  expect(wrong).toEqual([]);
  expect(details['data directory']).toEndWith(`chmod 700 ${dataDir}`);
});

test('doctor reports a missing key', async () => {
  const settings = await freshSettings('sqlite+local');
  const posthouse = await startPosthouse(settings);
  await posthouse.stop();
  rmSync(join(settings.POSTHOUSE_DATA_DIR ?? '', 'secret.key'));
  const { wrong, details } = await runDoctor(settings);
  expect(wrong).toEqual(['key']);
  expect(details.key).toContain('restore the file');
});

test('doctor reports passwords in clear text beyond this machine', async () => {
  const dataDir = freshDirectory();
  const { wrong, details } = await runDoctor({ POSTHOUSE_DATA_DIR: dataDir, HOST: '0.0.0.0' });
  expect(wrong).toEqual(['public url']);
  expect(details['public url']).toContain('HOST is 0.0.0.0, which other machines reach without encryption');
  const second = { POSTHOUSE_PUBLIC_URL: 'http://localhost:1,http://b.example' };
  const open = await runDoctor({ POSTHOUSE_DATA_DIR: dataDir, ...second });
  expect(open.details['public url']).toStartWith('http://b.example is not encrypted');
  const local = await runDoctor({ POSTHOUSE_DATA_DIR: dataDir, HOST: '::1' });
  expect(local.wrong).toEqual([]);
});

test('doctor reports missing proxy settings', async () => {
  const dataDir = freshDirectory();
  const trusting = await runDoctor({
    POSTHOUSE_DATA_DIR: dataDir,
    POSTHOUSE_PUBLIC_URL: 'https://127.0.0.1:1',
  });
  expect(trusting.wrong).toEqual(['public url']);
  expect(trusting.details['public url']).toContain('POSTHOUSE_TRUSTED_PROXIES');
  const whole = await runDoctor({
    POSTHOUSE_DATA_DIR: dataDir,
    POSTHOUSE_PUBLIC_URL: 'https://127.0.0.1:1',
    POSTHOUSE_TRUSTED_PROXIES: '127.0.0.1',
  });
  expect(whole.wrong).toEqual([]);
});

test('doctor checks that each public address reaches this server', async () => {
  const other = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('another site') });
  const { wrong, details } = await runDoctor({
    POSTHOUSE_DATA_DIR: freshDirectory(),
    POSTHOUSE_PUBLIC_URL: `http://localhost:1, ${other.url.origin}`,
  });
  expect(wrong).toEqual(['public url']);
  expect(details['public url']).toStartWith(`${other.url.origin} responds, but it is not this server`);
  await other.stop(true);
});

test('doctor prints one line per check without --json', async () => {
  const { status, stdout } = await runCommand(
    { POSTHOUSE_DATA_DIR: freshDirectory(), POSTHOUSE_PUBLIC_URL: 'http://files.example.org' },
    'doctor',
  );
  expect(status).toBe(1);
  expect(stdout).toMatch(/^WRONG {2}public url {6}http:\/\/files\.example\.org is not encrypted/m);
  expect(stdout.match(/^ok {5}/gm)).toHaveLength(PARTS.length - 1);
  expect(stdout).toEndWith(`1 of ${PARTS.length} checks failed.\n`);
});
