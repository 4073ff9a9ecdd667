import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { Client } from 'pg';
import type { Database } from '../src/kernel/database/database.ts';
import { freshDirectory, freshPostgres } from './harness/backends.ts';
import { openBrowser, signIn } from './harness/browser.ts';
import { sendChat, untilStatus as untilChat } from './harness/chat.ts';
import { freshDatabase, openAt } from './harness/database.ts';
import { filesOf, type Metadata } from './harness/files.ts';
import { type MailClient, messageState, untilStatus as untilMail } from './harness/mail.ts';
import { type Posthouse, runJson, startPosthouse } from './harness/posthouse.ts';
import { tusOf } from './harness/tus.ts';
import { type DiscordStandIn, startDiscord } from './stand-ins/discord.ts';
import { type SmtpStandIn, startSmtpStandIn } from './stand-ins/smtp.ts';

const FIXTURES = join(import.meta.dir, 'fixtures');
const CASES = readdirSync(FIXTURES).flatMap((name) =>
  (['sqlite', 'postgres'] as const).map((database) => [name, database] as const),
);

interface SharedFile {
  id: string;
  name: string;
  text: string;
  folder: string;
  directToken: string;
  uiToken: string;
  accessKey: string | null;
}

/** The `facts.json` that `scripts/make-fixture.ts` writes. */
interface Facts {
  email: string;
  password: string;
  token: string;
  cookie: string;
  files: Record<'plain' | 'nested' | 'open' | 'keyed' | 'limited' | 'trashed', SharedFile> & {
    locked: SharedFile & { password: string };
    reports: string;
    year: string;
  };
  upload: { path: string; name: string; bytes: number; received: number; sha256: string };
  chat: { botToken: string; guild: string; channel: string; texts: string[]; ids: string[] };
  mail: { client: MailClient; due: Queued; scheduled: Queued };
}

interface Queued {
  subject: string;
  id: string;
}

/** Copies a fixture; returns the settings that open the copy. */
async function unpack(fixture: string): Promise<Record<string, string>> {
  const dataDir = freshDirectory();
  const unzip = (name: string) => Bun.gunzipSync(readFileSync(join(fixture, name)));
  cpSync(join(fixture, 'blobs'), join(dataDir, 'blobs'), { recursive: true });
  cpSync(join(fixture, 'secret.key'), join(dataDir, 'secret.key'));
  chmodSync(join(dataDir, 'secret.key'), 0o600);
  if (existsSync(join(fixture, 'posthouse.sqlite.gz'))) {
    writeFileSync(join(dataDir, 'posthouse.sqlite'), unzip('posthouse.sqlite.gz'));
    return { POSTHOUSE_DATA_DIR: dataDir };
  }
  const url = await freshPostgres();
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(new TextDecoder().decode(unzip('posthouse.sql.gz')));
  await client.end();
  return { POSTHOUSE_DATA_DIR: dataDir, POSTHOUSE_DATABASE_URL: url };
}

/** Starts a Discord with the bot, the guild and the channel of the fixture. */
async function startFixtureDiscord({ botToken, guild, channel }: Facts['chat']): Promise<DiscordStandIn> {
  const discord = await startDiscord();
  const { world } = discord;
  world.addChannel(world.addGuild([world.addBot({ token: botToken })], undefined, guild), { id: channel });
  return discord;
}

/** Returns every table with its columns, and every index. */
async function schemaOf(database: Database, kind: 'sqlite' | 'postgres') {
  const tables = await database.schema.introspection.getTables();
  const { rows } =
    kind === 'sqlite'
      ? await sql<object>`select replace(sql, '"', '') as sql from sqlite_master where type = 'index' order by name`.execute(
          database.schema,
        )
      : await sql<object>`select indexdef from pg_indexes where schemaname = 'public' order by indexname`.execute(
          database.schema,
        );
  const columns = tables.flatMap(({ name: table, columns: found }) =>
    found.map(
      ({ name, dataType, isNullable }) => `${table}.${name} ${dataType} ${isNullable ? '' : 'not null'}`,
    ),
  );
  return { columns: columns.sort(), indexes: rows };
}

const digest = (bytes: Uint8Array) => new Bun.CryptoHasher('sha256').update(bytes).digest('base64');

describe.each(CASES)('the data of %s on %s opens', (name, database) => {
  const fixture = join(FIXTURES, name, database);
  const facts = JSON.parse(readFileSync(join(fixture, 'facts.json'), 'utf8')) as Facts;
  const headers = { Authorization: `Bearer ${facts.token}` };
  const { reports: _reports, year: _year, trashed, ...live } = facts.files;
  let discord: DiscordStandIn;
  let smtp: SmtpStandIn;
  let posthouse: Posthouse;
  let files: ReturnType<typeof filesOf>;
  let checked: object;
  beforeAll(async () => {
    [discord, smtp] = await Promise.all([startFixtureDiscord(facts.chat), startSmtpStandIn()]);
    const settings = {
      ...(await unpack(fixture)),
      POSTHOUSE_SMTP_URL: `smtp://${smtp.host}:${smtp.port}?tls=none`,
      POSTHOUSE_MAIL_FROM: 'post@example.org',
      POSTHOUSE_DISCORD_API_URL: discord.url,
    };
    // The first program to open the data migrates the schema.
    checked = await runJson<object>(settings, 'check');
    posthouse = await startPosthouse(settings);
    files = filesOf(posthouse, headers);
  });
  afterAll(async () => {
    await posthouse?.stop();
    await Promise.all([discord?.stop(), smtp?.stop()]);
  });

  const textAt = async (path: string, more?: RequestInit) => {
    const answer = await posthouse.fetch(path, more);
    return answer.ok ? await answer.text() : ((await answer.json()) as { code: string }).code;
  };

  test('and posthouse check finds every file intact', () => {
    expect(checked).toEqual({ files: Object.keys(live).length, missing: 0, corrupt: 0, orphaned: 0 });
  });

  test('and has the schema of a new database: no released migration was changed', async () => {
    const { POSTHOUSE_DATABASE_URL: url, POSTHOUSE_DATA_DIR: dataDir = '' } = posthouse.settings;
    const opened = openAt(url ?? join(dataDir, 'posthouse.sqlite'));
    expect(await schemaOf(opened, database)).toEqual(await schemaOf(await freshDatabase(database), database));
  });

  test('for its account: by token, session and password', async () => {
    expect(await files.read<object>('/api/me')).toMatchObject({ email: facts.email });
    const session = await posthouse.fetch('/api/me', { headers: { Cookie: facts.cookie } });
    expect([session.status, ((await session.json()) as { email: string }).email]).toEqual([200, facts.email]);
    expect((await signIn(posthouse, facts.email, facts.password)).me.email).toBe(facts.email);
    const browser = openBrowser(posthouse.url);
    await browser.submit(await browser.visit('/login'), { email: facts.email, password: 'wrong' });
    expect((await browser.fetch('/api/me')).status).toBe(401);
  });

  test('with the bytes, names and folders of its files, and its exact usage', async () => {
    for (const file of Object.values(live)) {
      expect(await textAt(`/api/storage/files/${file.id}/content`, { headers })).toBe(file.text);
      expect(await files.metadata(file.id)).toMatchObject({
        originalName: file.name,
        folderId: file.folder,
        sizeBytes: Buffer.byteLength(file.text),
      });
    }
    const listed = await files.read<Metadata[]>(`/api/storage/files/${facts.files.year}`);
    expect(listed.map(({ id }) => id)).toEqual([facts.files.nested.id]);
    const sizes = Object.values(live).map(({ text }) => Buffer.byteLength(text));
    const usedBytes = sizes.reduce((sum, size) => sum + size, 0);
    expect(await files.read<object>('/api/storage/usage')).toMatchObject({ usedBytes });
  });

  test('with its links and their secrets', async () => {
    const { open, locked, keyed, limited, plain } = facts.files;
    const direct = ({ directToken }: SharedFile) => `/api/storage/public/media/${directToken}`;
    for (const path of [direct(open), `/public/media/${open.uiToken}`])
      expect(await textAt(path)).toBe(open.text);
    expect(await textAt(direct(plain))).toBe('not_found');
    expect(await textAt(direct(locked))).toBe('file_password_required');
    expect(await textAt(direct(locked), { headers: { 'X-File-Password': 'wrong' } })).toBe(
      'file_password_wrong',
    );
    expect(await textAt(direct(locked), { headers: { 'X-File-Password': locked.password } })).toBe(
      locked.text,
    );
    expect(await textAt(direct(keyed))).toBe('access_key_required');
    expect(await textAt(`${direct(keyed)}?accessKey=${keyed.accessKey}`)).toBe(keyed.text);
    expect((await files.metadata(keyed.id)).accessKeyPlain).toBe(keyed.accessKey ?? '');
    // The limit is two downloads, one of which was counted; each browser is a different visitor.
    const visitor = (userAgent: string) => ({ headers: { 'User-Agent': userAgent } });
    expect((await files.metadata(limited.id)).downloadCount).toBe(1);
    expect(await textAt(direct(limited), visitor('one'))).toBe(limited.text);
    expect(await textAt(direct(limited), visitor('two'))).toBe('download_limit_reached');
  });

  test('with its trash, which can be restored', async () => {
    const trash = await files.read<{ id: string }[]>('/api/storage/trash');
    expect(trash.map(({ id }) => id)).toEqual([trashed.id]);
    expect((await files.post(`/api/storage/files/${trashed.id}/restore`)).status).toBe(200);
    expect(await textAt(`/api/storage/files/${trashed.id}/content`, { headers })).toBe(trashed.text);
    expect((await files.metadata(trashed.id)).folderId).toBe(facts.files.year);
  });

  test('with a running upload, which continues at its offset', async () => {
    const { path, bytes, received, name: fileName, sha256 } = facts.upload;
    const tus = tusOf(posthouse, headers);
    expect(await tus.offset(path)).toBe(received);
    const all = Buffer.from(Array.from({ length: bytes }, (_, index) => (index * index) % 251));
    expect((await tus.patch(path, received, all.subarray(received))).status).toBe(204);
    const found = await files.read<Metadata[]>('/api/storage/files/root');
    const file = found.find(({ originalName }) => originalName === fileName);
    const content = await files.get(`/api/storage/files/${file?.id}/content`);
    expect([digest(all), digest(await content.bytes())]).toEqual([sha256, sha256]);
  });

  test('with its queued chat messages, which are sent in order and once', async () => {
    const { channel, guild, texts, ids } = facts.chat;
    for (const id of ids) await untilChat(posthouse, id, 'sent');
    // Another message behind them: when it arrives, the channel has all.
    const last = await sendChat(posthouse, {
      clientId: 'relay',
      guildId: guild,
      channelId: channel,
      message: 'new',
    });
    expect(last).toMatchObject({ http: 200, status: 'sent' });
    const sent = discord.world.messagesIn(channel).map(({ body }) => JSON.stringify(body));
    expect(sent.map((body) => [...texts, 'new'].find((text) => body.includes(text)))).toEqual([
      ...texts,
      'new',
    ]);
  });

  test('with its queued mails: one is sent once, one waits for its time', async () => {
    const { client, due, scheduled } = facts.mail;
    await untilMail(posthouse, client, due.id, 'Sent');
    expect((await messageState(posthouse, client, scheduled.id)).Status).toBe('Scheduled');
    expect(smtp.mails.map(({ parsed }) => parsed.subject)).toEqual([due.subject]);
    const cancel = {
      method: 'DELETE',
      headers: { Authorization: `Basic ${btoa(Object.values(client).join(':'))}` },
    };
    expect((await posthouse.fetch(`/messages/${scheduled.id}`, cancel)).ok).toBe(true);
  });

  test('and its secrets are sealed again by the present server', async () => {
    const { settings } = posthouse;
    const { values, unreadable } = await runJson<{ values: number; unreadable: number }>(
      settings,
      'key',
      'rotate',
    );
    expect(values).toBeGreaterThanOrEqual(3);
    expect(unreadable).toBe(0);
    const { keyed } = facts.files;
    expect((await files.metadata(keyed.id)).accessKeyPlain).toBe(keyed.accessKey ?? '');
  });
});
