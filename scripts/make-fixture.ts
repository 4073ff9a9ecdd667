import { Database } from 'bun:sqlite';
import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Client } from 'pg';
import { addPerson } from '../test/harness/accounts.ts';
import { signIn } from '../test/harness/browser.ts';
import { runJson } from '../test/harness/command.ts';
import { createTestDatabase } from '../test/harness/databases.ts';
import { filesOf } from '../test/harness/files.ts';
import { addMailClient, post } from '../test/harness/mail.ts';
import type { Facts } from '../test/harness/old-data.ts';
import { startPeers } from '../test/harness/peers.ts';
import type { Posthouse } from '../test/harness/process.ts';
import { startProcess } from '../test/harness/start.ts';
import { tusOf } from '../test/harness/tus.ts';
import { dumpPostgres } from './dump-postgres.ts';
import { beginHalf, fillTeam } from './fixture-team.ts';

/*
 * Writes the data of this version of Posthouse, one directory per database, for test/old-data.test.ts:
 *   bun scripts/make-fixture.ts test/fixtures/data-2
 * Run it in a checkout of the commit whose data is wanted.
 */

/** The time at which everything expires, since the fixture must remain usable for years. */
const FAR = Date.UTC(2099, 0, 1);
const PASSWORD = 'correct horse battery';
const UPLOAD = { bytes: 50_000, received: 20_000, name: 'half sent.bin' };
/** Address without a server, so that all messages stay queued. */
const NOWHERE = '127.0.0.1:1';
/** Differs from a real token, which secret scanners would report. */
const BOT_TOKEN = 'fixture.token.of-no-real-bot';
const GUILD = '200000000000000002';
const CHANNEL = '300000000000000003';

/** Columns with a time of expiry, or a time from which a retention counts. */
const ENDS = {
  outbox: ['deadline_at'],
  mail_contents: ['keep_until'],
  sessions: ['expires_at', 'date_created'],
  tokens: ['expires_at'],
  uploads: ['expires_at'],
  reservations: ['lease_until'],
  files: ['deleted_at'],
  file_versions: ['date_replaced'],
  trash_trees: ['deleted_at'],
  workspaces: ['date_deleted'],
  workspace_tokens: ['expires_at'],
  link_grants: ['expires_at'],
  links: ['notice_at'],
};

/** Creates the data through the public interfaces; returns the facts that the test checks. */
async function fill(posthouse: Posthouse): Promise<Facts> {
  const { settings } = posthouse;
  const ada = await addPerson(settings, 'ada@example.org', PASSWORD);
  const grace = await addPerson(settings, 'grace@example.org', PASSWORD);
  const session = await signIn(posthouse, ada.email, PASSWORD);
  return {
    email: ada.email,
    password: PASSWORD,
    token: ada.token,
    cookie: session.cookie,
    files: await fillFiles(posthouse, ada.headers),
    upload: await beginUpload(posthouse, ada.headers),
    chat: await queueChat(posthouse),
    mail: await queueMail(posthouse),
    team: await fillTeam(posthouse, ada, grace),
  };
}

async function fillFiles(posthouse: Posthouse, headers: Record<string, string>) {
  const files = filesOf(posthouse, headers);
  const folder = async (name: string, parentFolderId: string) =>
    ((await (await files.post('/api/storage/folders', { name, parentFolderId })).json()) as { id: string })
      .id;
  const reports = await folder('Reports', 'root');
  const year = await folder('2026 Größe', reports);
  const add = async (name: string, change: object = {}, folderId = 'root') => {
    const text = `The words of ${name}.\n`.repeat(3);
    const { id } = await files.upload(text, { name, folder: folderId });
    const made = Object.keys(change).length > 0 ? await files.change(id, change) : await files.metadata(id);
    const { directToken, uiToken, accessKeyPlain = null, folderId: folder } = made;
    return { id, name, text, folder, directToken, uiToken, accessKey: accessKeyPlain };
  };
  const limited = await add('limited.txt', { visibility: 1, maxDownloads: 2 });
  await (await posthouse.fetch(`/api/storage/public/media/${limited.directToken}`)).bytes();
  const trashed = await add('trashed.txt', {}, year);
  await files.remove(trashed.id);
  return {
    reports,
    year,
    plain: await add('plain.txt'),
    nested: await add('日本 🎌.txt', {}, year),
    open: await add('public.txt', { visibility: 1 }),
    locked: {
      ...(await add('locked.txt', { visibility: 1, filePassword: 'pass word' })),
      password: 'pass word',
    },
    keyed: await add('keyed.txt', { accessKey: true }),
    limited,
    trashed,
  };
}

async function beginUpload(posthouse: Posthouse, headers: Record<string, string>) {
  return await beginHalf(tusOf(posthouse, headers), UPLOAD);
}

async function queueChat(posthouse: Posthouse) {
  const add = (...words: string[]) => runJson<{ id: string }>(posthouse.settings, ...words);
  await add('chat-client', 'add', '--name', 'relay', '--token', BOT_TOKEN);
  await add('chat-guild', 'add', '--client', 'relay', '--platform-id', GUILD, '--name', 'team');
  await add('chat-channel', 'add', '--guild', GUILD, '--platform-id', CHANNEL, '--name', 'news');
  const target = { clientId: 'relay', guildId: GUILD, channelId: CHANNEL };
  const texts = ['the first message', 'the second message'];
  const ids: string[] = [];
  for (const message of texts)
    ids.push(await queued(posthouse, '/api/chatbot/sendmessage', { ...target, message }));
  return { botToken: BOT_TOKEN, guild: GUILD, channel: CHANNEL, texts, ids };
}

async function queueMail(posthouse: Posthouse) {
  const client = await addMailClient(posthouse.settings, 'shop', '--services', 'email');
  const mail = (Subject: string) => ({ ...client, To: 'customer@example.com', Subject, Body: `${Subject}.` });
  const due = mail('Due since long');
  const scheduled = mail('For later');
  const SendAt = new Date(Date.now() + 300 * 86_400_000).toISOString();
  return {
    client,
    due: { subject: due.Subject, id: await queued(posthouse, '/requestemail', due) },
    scheduled: {
      subject: scheduled.Subject,
      id: await queued(posthouse, '/requestemail', { ...scheduled, SendAt }),
    },
  };
}

async function queued(posthouse: Posthouse, path: string, body: object): Promise<string> {
  const answer = await post(posthouse, path, body, { Prefer: 'respond-async' });
  if (answer.status !== 202) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body.Id ?? (answer.body as unknown as { id: string }).id;
}

/** Returns statements that set every time in `ENDS` to `FAR`, and make all messages due but the scheduled one. */
function farEnds(scheduledId: string): string[] {
  return [
    ...Object.entries(ENDS).flatMap(([table, columns]) =>
      columns.map((column) => `update ${table} set ${column} = ${FAR} where ${column} is not null`),
    ),
    `update outbox set next_attempt_at = case message_id when '${scheduledId}' then ${FAR} - 86400000 else 0 end`,
  ];
}

function copyData(from: string, to: string): void {
  cpSync(join(from, 'blobs'), join(to, 'blobs'), { recursive: true });
  cpSync(join(from, 'secret.key'), join(to, 'secret.key'));
  chmodSync(join(to, 'secret.key'), 0o600);
}

function writeSqlite(dataDir: string, to: string, statements: readonly string[]): void {
  const path = join(dataDir, 'posthouse.sqlite');
  const database = new Database(path);
  for (const statement of statements) database.run(statement);
  database.run('pragma wal_checkpoint(truncate)');
  database.run('vacuum');
  database.close();
  writeFileSync(join(to, 'posthouse.sqlite.gz'), Bun.gzipSync(readFileSync(path), { level: 9 }));
}

async function writePostgres(url: string, to: string, statements: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  writeFileSync(join(to, 'posthouse.sql.gz'), Bun.gzipSync(await dumpPostgres(client), { level: 9 }));
  await client.end();
}

async function makeOne(target: string, postgresUrl: string | null): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'posthouse-fixture-'));
  const settings = {
    POSTHOUSE_DATA_DIR: dataDir,
    POSTHOUSE_SMTP_URL: `smtp://${NOWHERE}?tls=none`,
    POSTHOUSE_MAIL_FROM: 'post@example.org',
    POSTHOUSE_DISCORD_API_URL: `http://${NOWHERE}/api`,
    ...(postgresUrl === null ? {} : { POSTHOUSE_DATABASE_URL: postgresUrl }),
  };
  const posthouse = await startProcess(settings);
  const facts = await fill(posthouse);
  if ((await posthouse.stop()) !== 0) throw new Error(posthouse.output());
  copyData(dataDir, target);
  const statements = farEnds(facts.mail.scheduled.id);
  if (postgresUrl === null) writeSqlite(dataDir, target, statements);
  else await writePostgres(postgresUrl, target, statements);
  writeFileSync(join(target, 'facts.json'), `${JSON.stringify(facts, null, 2)}\n`);
  rmSync(dataDir, { recursive: true });
}

const target = process.argv[2];
if (target === undefined) throw new Error('usage: bun scripts/make-fixture.ts DIRECTORY');
const peers = await startPeers();
try {
  await makeOne(resolve(target, 'sqlite'), null);
  await makeOne(resolve(target, 'postgres'), await createTestDatabase(peers));
} finally {
  await peers.stop();
}
