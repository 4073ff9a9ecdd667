import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { Database } from '../src/kernel/database/database.ts';
import { openBrowser, signIn } from './harness/browser.ts';
import { sendChat, untilStatus as untilChat } from './harness/chat.ts';
import { freshDatabase, openAt } from './harness/database.ts';
import { filesOf, type Metadata } from './harness/files.ts';
import { messageState, untilStatus as untilMail } from './harness/mail.ts';
import { type Facts, type OldDatabase, oldData, type SharedFile, unpack } from './harness/old-data.ts';
import { type Posthouse, runCommand, runJson, startPosthouse } from './harness/posthouse.ts';
import { tusOf, uploadBytes } from './harness/tus.ts';
import { type DiscordStandIn, startDiscord } from './stand-ins/discord.ts';
import { type SmtpStandIn, startSmtpStandIn } from './stand-ins/smtp.ts';

/** Starts a Discord with the bot, the guild and the channel of the fixture. */
async function startFixtureDiscord({ botToken, guild, channel }: Facts['chat']): Promise<DiscordStandIn> {
  const discord = await startDiscord();
  const { world } = discord;
  world.addChannel(world.addGuild([world.addBot({ token: botToken })], undefined, guild), { id: channel });
  return discord;
}

const DEFINITIONS = {
  sqlite: sql<object>`select replace(sql, '"', '') as sql from sqlite_master
    where type in ('index', 'trigger') order by name`,
  postgres: sql<object>`select indexdef as sql from pg_indexes where schemaname = 'public'
    union all select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
    union all select pg_get_functiondef(oid) from pg_proc where pronamespace = 'public'::regnamespace order by sql`,
};

/** Returns every table with its columns, and every index, trigger and function. */
async function schemaOf(database: Database, kind: OldDatabase) {
  const tables = await database.schema.introspection.getTables();
  const { rows } = await DEFINITIONS[kind].execute(database.schema);
  const columns = tables.flatMap(({ name: table, columns: found }) =>
    found.map(
      ({ name, dataType, isNullable }) => `${table}.${name} ${dataType} ${isNullable ? '' : 'not null'}`,
    ),
  );
  return { columns: columns.sort(), definitions: rows };
}

const digest = (bytes: Uint8Array) => new Bun.CryptoHasher('sha256').update(bytes).digest('base64');

describe.each(oldData())('the data of $name on $database opens', ({ directory, database, facts }) => {
  const headers = { Authorization: `Bearer ${facts.token}` };
  const { reports: _reports, year: _year, trashed, ...live } = facts.files;
  let discord: DiscordStandIn;
  let smtp: SmtpStandIn;
  let posthouse: Posthouse;
  let files: ReturnType<typeof filesOf>;
  let checked: string;
  beforeAll(async () => {
    [discord, smtp] = await Promise.all([startFixtureDiscord(facts.chat), startSmtpStandIn()]);
    const settings = {
      ...(await unpack(directory)),
      POSTHOUSE_SMTP_URL: `smtp://${smtp.host}:${smtp.port}?tls=none`,
      POSTHOUSE_MAIL_FROM: 'post@example.org',
      POSTHOUSE_DISCORD_API_URL: discord.url,
    };
    posthouse = await startPosthouse(settings);
    checked = (await runCommand(settings, 'check')).stdout;
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

  test('and posthouse check finds every file intact, and nothing else to repair', () => {
    const count = Object.keys(live).length + (facts.team?.fileCount ?? 0);
    expect(checked).toBe(`${count} files checked: 0 missing, 0 corrupt; orphaned blobs: 0.\n`);
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
    const all = uploadBytes(bytes);
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

  test('with its queued e-mails: one is sent once, one waits for its time', async () => {
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

  test('with its mail clients, whose contact forms are sent in English', async () => {
    const { clients } = await runJson<{ clients: { contactLanguage: string }[] }>(
      posthouse.settings,
      'mail-client',
      'list',
    );
    expect(clients.map(({ contactLanguage }) => contactLanguage)).toEqual(['en']);
  });

  test('and its secrets are sealed again by the current server', async () => {
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
