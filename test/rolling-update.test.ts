import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { migrations } from '../src/foundation/schema.ts';
import { HOUR } from '../src/kernel/clock.ts';
import { freshDirectory, freshSettings } from './harness/backends.ts';
import { addSandboxTarget, type ChatChannel, sendChat, untilStatus } from './harness/chat.ts';
import { filesOf } from './harness/files.ts';
import { endWaits, foundationOf } from './harness/foundation.ts';
import { addMailClient, type MailClient, post } from './harness/mail.ts';
import { addPerson, type Posthouse, startPosthouse, startProgram } from './harness/posthouse.ts';
import { type SmtpStandIn, startSmtpStandIn } from './stand-ins/smtp.ts';

const ROOT = join(import.meta.dir, '..');
/** Stored in parts, and compressible, since PostgreSQL compresses values. */
const LARGE = Buffer.alloc(1_000_000, 'a large attachment ');
/** Number of migrations that the previous program lacks. */
const LACKED = 4;
const lacked = migrations.toSorted((a, b) => (a.name > b.name ? -1 : 1)).slice(0, LACKED);
/** Index of the newest one that programs without it cannot take. */
const contract = lacked.findIndex(({ kind }) => kind === 'contract');
/** The previous program is the one before this migration: the oldest of those that it can take, if there are any. */
const oldest = lacked.at(contract > 0 ? contract - 1 : contract);

const digest = (bytes: Uint8Array) => new Bun.CryptoHasher('sha256').update(bytes).digest('hex');

async function git(...words: string[]): Promise<string | null> {
  if (!Bun.which('git')) return null;
  const child = Bun.spawn(['git', ...words], { cwd: ROOT, stdout: 'pipe', stderr: 'ignore' });
  const printed = await new Response(child.stdout).text();
  return (await child.exited) === 0 ? printed.trim() : null;
}

/** Returns the commit before a migration; null where the history of the clone does not reach back to it. */
async function commitBefore(name: string): Promise<string | null> {
  const [added] =
    (await git('log', '--reverse', '--format=%H', '-S', `'${name}'`, '--', 'src'))?.split('\n') ?? [];
  return added ? await git('rev-parse', '--verify', '--quiet', `${added}^`) : null;
}

/** Unpacks the program of a commit; returns its directory. */
async function unpack(commit: string): Promise<string> {
  const directory = freshDirectory();
  const archive = join(directory, 'program.tar');
  expect(await git('archive', '--output', archive, commit, 'src', 'package.json', 'tsconfig.json')).not.toBe(
    null,
  );
  expect(await Bun.spawn(['tar', '-xf', archive, '-C', directory]).exited).toBe(0);
  symlinkSync(join(ROOT, 'node_modules'), join(directory, 'node_modules'));
  return directory;
}

async function uploads(posthouse: Posthouse): Promise<void> {
  const person = await addPerson(posthouse.settings, `${crypto.randomUUID()}@example.org`);
  const { sha256 } = await filesOf(posthouse, person.headers).upload('one file');
  expect(sha256).toMatch(/^[0-9a-f]{64}$/);
}

test('a server runs and starts on a schema that a newer version expanded, and not on one that it contracted', async () => {
  const settings = await freshSettings('sqlite+local');
  const running = await startPosthouse(settings);
  const { database } = await foundationOf(settings);
  // A transaction waits for those of the server.
  await database.transaction(async (trx) => {
    await sql`alter table files add column later text default 'x' not null`.execute(trx);
    await sql`insert into migrations (name, timestamp, kind) values ('9998_later', '', 'expand')`.execute(
      trx,
    );
  });
  await uploads(running);
  await running.stop();
  const again = await startPosthouse(settings);
  await uploads(again);
  await again.stop();
  await sql`insert into migrations (name, timestamp, kind) values ('9999_removed', '', 'contract')`.execute(
    database.schema,
  );
  await expect(startPosthouse(settings)).rejects.toThrow('newer version of Posthouse (it has 9999_removed)');
});

const commit = oldest ? await commitBefore(oldest.name) : null;

describe.skipIf(commit === null)(
  'the program before the newest migrations (skipped where the history of the clone does not reach back to it)',
  () => {
    let program: string;
    let smtp: SmtpStandIn;
    let settings: Record<string, string>;
    beforeAll(async () => {
      program = await unpack(commit ?? '');
      smtp = await startSmtpStandIn();
    });
    afterAll(() => smtp.stop());
    beforeEach(async () => {
      settings = {
        ...(await freshSettings('postgres+s3')),
        POSTHOUSE_SMTP_URL: `smtp://${smtp.host}:${smtp.port}?tls=none`,
        POSTHOUSE_MAIL_FROM: 'post@example.org',
      };
    });

    const startPrevious = () => startProgram([join(program, 'src/main.ts'), 'serve'], settings);
    const startCurrent = () => startPosthouse(settings);

    /** Sends an e-mail and one with a large attachment; returns a function that waits for them. */
    async function sendMails(posthouse: Posthouse, client: MailClient, more: object = {}) {
      const sent = await Promise.all(
        [[], [LARGE]].map(async (attachments) => {
          const { status, body } = await post(posthouse, '/requestemail', {
            ...client,
            To: 'ada@example.org',
            Subject: 'Hello',
            Body: 'Text',
            Attachments: attachments.map((content) => ({
              FileName: 'large.txt',
              Content: content.toString('base64'),
            })),
            ...more,
          });
          expect([200, 202]).toContain(status);
          return { id: body.MessageId, attachments };
        }),
      );
      return async () => {
        for (const { id, attachments } of sent) {
          const { parsed } = await smtp.arrived((mail) => mail.parsed.messageId === id);
          const contents = parsed.attachments.map(({ content }) => content);
          expect(contents.map(digest)).toEqual(attachments.map(digest));
        }
      };
    }

    /** Uses all services, and sees the messages delivered. */
    async function use(posthouse: Posthouse, client: MailClient, target: ChatChannel['target']) {
      await uploads(posthouse);
      const { id } = await sendChat(posthouse, { ...target, message: 'Hello' });
      await untilStatus(posthouse, id, 'sent');
      await (await sendMails(posthouse, client))();
      expect((await posthouse.fetch('/login')).status).toBe(302);
    }

    if (oldest?.kind === 'contract')
      return test('does not start after one that contracts the schema', async () => {
        await expect(startPrevious()).rejects.toThrow(oldest.name);
      });

    test.each([
      ['sends what this one accepted', startCurrent, startPrevious],
      ['has its messages sent by this one', startPrevious, startCurrent],
    ])('runs after them with all services beside this one, and %s', async (_, startFirst, startSecond) => {
      const first = await startFirst();
      const second = await startSecond();
      const client = await addMailClient(settings, 'app', '--services', 'email');
      const target = await addSandboxTarget(settings, 'relay');
      for (const posthouse of [first, second]) await use(posthouse, client, target);
      const arrive = await sendMails(first, client, { SendAt: new Date(Date.now() + HOUR).toISOString() });
      const later = { Prefer: 'respond-async' };
      const { http, id } = await sendChat(first, { ...target, message: 'later' }, later);
      expect(http).toBe(202);
      await first.stop();
      await endWaits(settings);
      // Its own messages make it look for those that are due.
      await use(second, client, target);
      await arrive();
      await untilStatus(second, id, 'sent');
      await second.stop();
    });
  },
);
