import { Database as Sqlite } from 'bun:sqlite';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { sql } from 'kysely';
import { SERVER_LIMITS } from '../src/foundation/engine-limits.ts';
import { freshSettings } from './harness/backends.ts';
import { type FaultProxy, openFaultProxy } from './harness/fault-proxy.ts';
import { filesOf } from './harness/files.ts';
import { foundationOf } from './harness/foundation.ts';
import { startInProcess } from './harness/in-process.ts';
import { postJson } from './harness/json.ts';
import { addPerson, runJson } from './harness/posthouse.ts';
import { until } from './harness/until.ts';

type Files = ReturnType<typeof filesOf>;

/** Short, so that the tests need not wait. */
const LIMITS = {
  lockMs: 200,
  postgres: { connectMs: 500, statementMs: 400, idleMs: 1_000, transactionMs: 1_000 },
  signals: { ...SERVER_LIMITS.signals, answerMs: 300, heartbeatMs: 300, longestPauseMs: 300 },
  s3: { answerMs: 400, requestMs: 900, bodyMs: 400, pauseMs: 20 },
};

test.each([
  [
    'uploads',
    (ada: Files) => ada.send('root', 'more'),
    async (bob: Files) => (await bob.get('/api/storage/files/root')).status === 200,
  ],
  [
    'changes',
    (ada: Files) => ada.post('/api/storage/folders', { name: crypto.randomUUID() }),
    async (bob: Files) => (await bob.post('/api/storage/folders', { name: 'mine' })).status === 201,
  ],
])(
  'many %s of one person that wait for a lock leave connections to other people',
  async (_, send, succeeds) => {
    const settings = await freshSettings('postgres+s3');
    const postgres = { connectMs: 2_000, statementMs: 60_000, idleMs: 60_000, transactionMs: 60_000 };
    const posthouse = await startInProcess(settings, { ...SERVER_LIMITS, postgres });
    const person = async (name: string) =>
      filesOf(posthouse, (await addPerson(settings, `${name}@example.org`)).headers);
    const [ada, bob] = [await person('ada'), await person('bob')];
    const { folderId } = await ada.upload('first');
    const { database } = await foundationOf(settings);
    const uploads = await database.transaction(async (trx) => {
      const root = trx.selectFrom('workspaces').selectAll().where('root_folder_id', '=', folderId);
      expect(await root.forUpdate().execute()).toHaveLength(1);
      const all = Promise.all(Array.from({ length: 12 }, () => send(ada)));
      const waiting = sql<{ count: number }>`
      select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      await until(async () => ((await waiting.execute(trx)).rows[0]?.count ?? 0) >= 1);
      expect(await succeeds(bob)).toBe(true);
      return { all };
    });
    expect(new Set((await uploads.all).map(({ status }) => status))).toEqual(new Set([201]));
  },
);

describe('a server whose engines fail', () => {
  let database: FaultProxy;
  let s3: FaultProxy;
  let posthouse: Awaited<ReturnType<typeof startInProcess>>;
  let mail: object;
  let files: Files;
  let fileId: string;

  beforeAll(async () => {
    const settings = await freshSettings('postgres+s3');
    const databaseUrl = new URL(settings.POSTHOUSE_DATABASE_URL ?? '');
    const s3Url = new URL(settings.POSTHOUSE_S3_URL ?? '');
    const endpoint = new URL(s3Url.searchParams.get('endpoint') ?? '');
    database = await openFaultProxy(Number(databaseUrl.port));
    s3 = await openFaultProxy(Number(endpoint.port));
    s3Url.searchParams.set('endpoint', `http://127.0.0.1:${s3.port}`);
    posthouse = await startInProcess(
      {
        ...settings,
        POSTHOUSE_DATABASE_URL: Object.assign(databaseUrl, { port: String(database.port) }).href,
        POSTHOUSE_S3_URL: s3Url.href,
      },
      LIMITS,
    );
    files = filesOf(posthouse, (await addPerson(settings, 'ada@example.org')).headers);
    const words = ['mail-client', 'add', '--name', 'app', '--services', 'email'];
    mail = await runJson<object>(settings, ...words);
    fileId = (await files.upload(new Uint8Array(200_000), { name: 'kept.bin' })).id;
  });
  afterEach(async () => {
    await Promise.all([database.heal(), s3.heal()]);
    await until(async () => (await posthouse.fetch('/readyz')).status === 200);
  });
  afterAll(async () => {
    await Promise.all([database.stop(), s3.stop()]);
  });

  const list = () => files.get('/api/storage/files/root');
  const requests = {
    list,
    upload: () => files.send('root', new Uint8Array(200_000)),
    download: () => files.get(`/api/storage/files/${fileId}/content`),
    'create folder': () => files.post('/api/storage/folders', { name: 'refused' }),
    mail: () =>
      postJson(posthouse, '/requestemail', { ...mail, To: 'a@example.org', Subject: 'x', Body: 'y' }),
    'sign-in page': () => posthouse.fetch('/login'),
    'password link': () => posthouse.fetch('/password/of-nobody'),
    session: () => posthouse.fetch('/api/me', { headers: { Cookie: 'posthouse=x' } }),
    discovery: () => posthouse.fetch('/oidc/auth?client_id=x'),
  };
  const names = async () =>
    ((await (await list()).json()) as { originalName: string }[]).map(({ originalName }) => originalName);

  test.each([
    ['refuses connections', () => database.refuse()],
    ['does not respond', async () => database.hang()],
    ['loses sent bytes', async () => database.swallow()],
  ])('responds with 503 and Retry-After while the database %s, and recovers', async (_, fail) => {
    await fail();
    const answers = await Promise.all(
      Object.entries(requests).map(async ([name, request]) => [name, await request()] as const),
    );
    for (const [name, answer] of answers) {
      // Pages that need no database are served.
      if (answer.status < 500) continue;
      const { code } = (await answer.json().catch(() => ({}))) as { code?: string };
      expect([name, answer.status, code, answer.headers.get('Retry-After')]).toEqual([
        name,
        503,
        'unavailable',
        '2',
      ]);
    }
    const refused = answers.filter(([, { status }]) => status === 503).map(([name]) => name);
    for (const name of ['list', 'upload', 'download', 'create folder', 'mail'])
      expect(refused).toContain(name);
    expect((await posthouse.fetch('/healthz')).status).toBe(200);
    await until(async () => (await posthouse.fetch('/readyz')).status === 503);
    await database.heal();
    await until(async () => (await list()).status === 200);
    expect(await names()).toEqual(['kept.bin']);
    expect(await files.usedBytes()).toBe(200_000);
  });

  test('responds with 503 and Retry-After to changes of many statements while the database delays each', async () => {
    await list();
    database.delay(250);
    const refused = await requests['create folder']();
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([503, '2']);
    expect(await refused.json()).toMatchObject({ code: 'unavailable' });
    await database.heal();
    await until(async () => (await list()).status === 200);
    expect(await files.read('/api/storage/folders/root')).toMatchObject({ folders: [] });
  });

  test.each([
    ['refuses connections', () => s3.refuse()],
    ['does not respond', async () => s3.hang()],
    ['loses sent bytes', async () => s3.swallow()],
  ])(
    'responds with 503 to uploads and downloads while S3 %s, and serves all other requests',
    async (_, fail) => {
      await fail();
      const [uploaded, downloaded, listed] = await Promise.all([
        requests.upload(),
        requests.download(),
        requests.list(),
      ]);
      for (const answer of [uploaded, downloaded]) {
        expect([answer.status, answer.headers.get('Retry-After')]).toEqual([503, '2']);
        expect(await answer.json()).toMatchObject({ code: 'unavailable' });
      }
      expect(listed.status).toBe(200);
      await s3.heal();
      expect((await requests.download()).status).toBe(200);
      expect(await names()).toEqual(['kept.bin']);
      expect(await files.usedBytes()).toBe(200_000);
    },
  );

  test('continues a ZIP file whose later files S3 refuses for a moment', async () => {
    const folder = await files.newFolder('many', 'root');
    for (const name of ['a.bin', 'b.bin', 'c.bin'])
      await files.upload(new Uint8Array(200_000), { name, folder });
    const requested: string[] = [];
    s3.intercept((bytes) => {
      const [, key] = /^GET \S+\/blobs\/(\S+)/.exec(bytes.toString('latin1')) ?? [];
      if (key === undefined) return false;
      requested.push(key);
      // A request is repeated three times, so the second file is opened twice for nothing.
      const isRefused = requested.length > 1 && requested.length <= 9;
      if (isRefused) s3.reset();
      return isRefused;
    });
    const answer = await files.get(`/api/storage/export/${folder}`);
    expect([answer.status, (await answer.bytes()).length]).toEqual([
      200,
      Number(answer.headers.get('Content-Length')),
    ]);
    expect(new Set(requested).size).toBe(3);
    expect(requested.length).toBeGreaterThan(9);
  });
});

test('responds with 503 to all writes while another program locks the SQLite database, is not ready, and serves reads', async () => {
  const settings = await freshSettings('sqlite+local');
  const posthouse = await startInProcess(settings, LIMITS);
  const files = filesOf(posthouse, (await addPerson(settings, 'ada@example.org')).headers);
  const other = new Sqlite(join(settings.POSTHOUSE_DATA_DIR ?? '', 'posthouse.sqlite'), { readwrite: true });
  other.run('begin immediate');
  const names = Array.from({ length: 20 }, (_, index) => `folder ${index}`);
  const write = (name: string) => files.post('/api/storage/folders', { name });
  const refused = await Promise.all(names.map(write));
  expect(refused.map(({ status }) => status)).toEqual(names.map(() => 503));
  expect((await files.get('/api/storage/files/root')).status).toBe(200);
  const notReady = await until(async () => {
    const answer = await posthouse.fetch('/readyz');
    return answer.status === 503 && answer;
  });
  expect(await notReady.json()).toMatchObject({ errors: [{ path: 'database' }] });
  other.close();
  expect((await Promise.all(names.map(write))).map(({ status }) => status)).toEqual(names.map(() => 201));
});

test('stops in order while another program locks the SQLite database, with downloads to count', async () => {
  const settings = await freshSettings('sqlite+local');
  const posthouse = await startInProcess(settings, LIMITS);
  const files = filesOf(posthouse, (await addPerson(settings, 'ada@example.org')).headers);
  const { id } = await files.upload('shared');
  const { directToken } = await files.change(id, { visibility: 1, accessKey: '' });
  using other = new Sqlite(join(settings.POSTHOUSE_DATA_DIR ?? '', 'posthouse.sqlite'), { readwrite: true });
  other.run('begin immediate');
  expect((await posthouse.fetch(`/api/storage/public/media/${directToken}`)).status).toBe(200);
  await posthouse.stop();
});
