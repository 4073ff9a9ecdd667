import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BACKENDS, freshSettings } from './harness/backends.ts';
import { filesOf, type Metadata } from './harness/files.ts';
import { foundationOf } from './harness/foundation.ts';
import { startInProcess } from './harness/in-process.ts';
import { MULTIPART_TYPE, multipart } from './harness/multipart.ts';
import { addPerson, openSession, type Posthouse } from './harness/posthouse.ts';
import { type Statement, watchStatements } from './harness/statements.ts';
import { until } from './harness/until.ts';

/** Periodic tasks run in between, so the least of several counts is that of the request. */
const MAX_REPEATS = 100;
const JSON_TYPE = { 'Content-Type': 'application/json' };
/** Marks within a transaction, which cost no round trip on SQLite and do not occur on PostgreSQL. */
const UNCOUNTED = /^(?:pragma|savepoint|release) /;

const statements: Statement[] = [];
watchStatements((statement) => void (UNCOUNTED.test(statement.text) || statements.push(statement)));

/** The documented numbers of statements: of SQLite, and of PostgreSQL. */
const documented = new Map(
  readFileSync(join(import.meta.dir, '../docs/performance.md'), 'utf8')
    .split('## Statements')[1]
    ?.split('\n## ')[0]
    ?.split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter(([, , count]) => count !== undefined && /^\d+$/.test(count))
    .map(([, name = '', ...counts]) => [name, counts.map(Number)]),
);

interface Rig {
  settings: Record<string, string>;
  ada: { headers: Record<string, string> };
  session: { headers: Record<string, string> };
  free: Metadata;
  limited: Metadata;
  locked: Metadata;
  link: { token: string };
}

let count = 0;
const json = (body: object, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { ...JSON_TYPE, ...headers },
  body: JSON.stringify(body),
});
const publicPath = ({ directToken }: Metadata) => `/api/storage/public/media/${directToken}`;

const OPERATIONS: Record<string, (rig: Rig) => [path: string, init?: RequestInit]> = {
  'a public file': ({ free }) => [publicPath(free)],
  'the same with a limit of downloads': ({ limited }) => [publicPath(limited)],
  'the same with a password': ({ locked }) => [
    publicPath(locked),
    { headers: { 'X-File-Password': 'secret' } },
  ],
  'a file of a shared folder': ({ link, free }) => [`/public/folder/${link.token}/file/${free.id}`],
  'a link to no file': () => [publicPath({ directToken: 'x'.repeat(32) } as Metadata)],
  'a file of a workspace': ({ free, session }) => [`/api/storage/files/${free.id}/content`, session],
  'its metadata': ({ free, ada }) => [`/api/storage/files/${free.id}/metadata`, ada],
  'a list of files': ({ session }) => ['/api/storage/files/root', session],
  'an upload': ({ ada }) => [
    '/api/storage/files/root',
    {
      method: 'POST',
      headers: { ...ada.headers, 'Content-Type': MULTIPART_TYPE },
      body: multipart([{ name: 'file', fileName: `${count++}.txt`, value: 'bytes' }]),
    },
  ],
  'a new name': ({ free, ada }) => [
    `/api/storage/files/${free.id}`,
    { ...json({ originalName: `${count++}.txt` }, ada.headers), method: 'PATCH' },
  ],
};

describe.each(BACKENDS)('statements of a request on %s', (backend) => {
  let server: Awaited<ReturnType<typeof startInProcess>>;
  let rig: Rig;

  beforeAll(async () => {
    const settings = await freshSettings(backend);
    server = await startInProcess(settings);
    const posthouse = { ...server, settings } as unknown as Posthouse;
    const ada = await addPerson(settings, 'ada@example.org');
    const files = filesOf(posthouse, ada.headers);
    const upload = async (change: object) =>
      await files.change((await files.upload('bytes')).id, { visibility: 1, ...change });
    rig = {
      settings,
      ada: { headers: ada.headers },
      session: { headers: (await openSession(posthouse, ada.email)).headers },
      free: await upload({}),
      limited: await upload({ maxDownloads: 1_000 }),
      locked: await upload({ filePassword: 'secret' }),
      link: (await (await files.post('/api/storage/links', { folderId: 'root' })).json()) as Rig['link'],
    };
  });

  afterAll(() => server.stop());

  /** Returns the statements until the response. */
  async function statementsOf(name: string): Promise<Statement[]> {
    const [path, init] = OPERATIONS[name]?.(rig) ?? [''];
    statements.length = 0;
    const answer = await server.fetch(path, init);
    const seen = [...statements];
    const text = await answer.text();
    if (name !== 'a link to no file') expect([answer.ok, text]).toEqual([true, text]);
    return seen;
  }

  test.each(Object.keys(OPERATIONS))('%s', async (name) => {
    const count = documented.get(name)?.[backend === 'sqlite+local' ? 0 : 1] ?? Number.NaN;
    let least = await statementsOf(name);
    for (let repeat = 0; repeat < MAX_REPEATS && least.length !== count; repeat++) {
      const seen = await statementsOf(name);
      if (seen.length < least.length) least = seen;
    }
    expect({ least, count: least.length }).toEqual({ least, count });
  });

  test('the language of the browser is written when it changes', async () => {
    const { database } = await foundationOf(rig.settings);
    const written = database.read.selectFrom('accounts').select('browser_language');
    const writes = async (preferred: string) => {
      statements.length = 0;
      // Such a write is skipped while the one before ends; the next request repeats it.
      await until(async () => {
        await server.fetch('/api/me', { headers: { ...rig.session.headers, 'Accept-Language': preferred } });
        return (await written.executeTakeFirstOrThrow()).browser_language === preferred;
      });
      return statements.filter(({ text }) => text.startsWith('update "accounts"')).length;
    };
    expect([await writes('de'), await writes('de'), await writes('en')]).toEqual([1, 0, 1]);
  });

  test('the one of a link stays prepared', async () => {
    const lookups = (await statementsOf('a link to no file')).filter(({ text }) =>
      text.includes('direct_token'),
    );
    expect(lookups.map(({ isNamed }) => isNamed)).toEqual([true]);
  });
});
