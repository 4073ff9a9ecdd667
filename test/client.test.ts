import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { freshSettings } from './harness/backends.ts';
import { openBreakingProxy } from './harness/breaking-proxy.ts';
import { compile, createClientProject, run } from './harness/client-project.ts';
import { addMailClient, type MailClient } from './harness/mail.ts';
import { addPerson, type Posthouse, signInAdmin, startPosthouse } from './harness/posthouse.ts';

/* The published client as a program uses it: built into a package, imported by name, against a started server. */

const ROOT = join(import.meta.dir, '..');
const MB = 1_048_576;
const LIMIT_MS = 60_000;

/** Forwards requests to `target`, but loses its first response and responds with status 503 instead. */
function startLosingServer(target: string) {
  const keys: (string | null)[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      keys.push(request.headers.get('Idempotency-Key'));
      const { pathname } = new URL(request.url);
      const { method, headers } = request;
      const answer = await fetch(`${target}${pathname}`, { method, headers, body: await request.text() });
      const text = await answer.text();
      return keys.length === 1
        ? new Response('restarting', { status: 503, headers: { 'Retry-After': '0' } })
        : new Response(text, { status: answer.status, headers: { 'Content-Type': 'application/json' } });
    },
  });
  return { url: server.url.origin, keys, close: () => server.stop(true) };
}

let project: string;
let posthouse: Posthouse;
let settings: Record<string, string>;
let admin: Record<string, string>;
let client: MailClient;
beforeAll(async () => {
  settings = await freshSettings();
  [project, posthouse] = await Promise.all([createClientProject(), startPosthouse(settings)]);
  copyFileSync(join(import.meta.dir, 'client/program.mjs'), join(project, 'program.mjs'));
  admin = (await signInAdmin(posthouse)).headers;
  client = await addMailClient(settings, 'app', '--services', 'email');
});
afterAll(() => posthouse.stop());

describe.each([
  ['Node.js', 'node'],
  ['Bun', process.execPath],
])('the built client on %s', (name, runtime) => {
  test(
    'lists, uploads over a connection that breaks, throws errors by code and sends a message once',
    async () => {
      const { token } = await addPerson(settings, `${name}@example.org`);
      const retry = await openBreakingProxy(posthouse.url, [5 * MB]);
      const resume = await openBreakingProxy(posthouse.url, [5 * MB]);
      const losing = startLosingServer(posthouse.url);
      const urls = {
        url: posthouse.url,
        retryUrl: retry.url,
        resumeUrl: resume.url,
        busyUrl: losing.url,
      };
      const before = await messages();
      const { stdout, stderr } = await run(project, [
        runtime,
        'program.mjs',
        JSON.stringify({ ...urls, token, ...client }),
      ]);
      await Promise.all([retry, resume, losing].map(({ close }) => close()));
      expect(stderr).toBe('');
      const { retried, mail, ...rest } = JSON.parse(stdout) as {
        retried: { progress: number[]; same: boolean };
        mail: string;
      };
      expect(rest as object).toEqual({
        resumed: { error: { status: 0, code: 'unreachable' }, same: true },
        refused: { status: 404, code: 'not_found' },
        unreachable: { status: 0, code: 'unreachable' },
        whole: 'small.txt',
        names: ['resumed.bin', 'retried.bin', 'small.txt'],
      });
      expect([retry.left, resume.left]).toEqual([[], []]);
      expect(retried.same).toBe(true);
      expect(retried.progress.length).toBeGreaterThan(2);
      expect(retried.progress).toEqual(retried.progress.toSorted((a, b) => a - b));
      expect(retried.progress.at(-1)).toBe(20 * MB);
      expect(losing.keys).toHaveLength(2);
      expect(losing.keys[0]).toMatch(/^[\w-]{36}$/);
      expect(losing.keys[1]).toBe(losing.keys[0] ?? '');
      const after = await messages();
      expect(after.length).toBe(before.length + 1);
      expect(after[0]?.id).toBe(mail);
    },
    LIMIT_MS,
  );

  async function messages(): Promise<{ id: string }[]> {
    return (await (await posthouse.fetch('/api/admin/messages', { headers: admin })).json()) as never;
  }
});

test('the built client imports no other module', async () => {
  const built = await Bun.file(join(project, 'node_modules/posthouse/dist/client/index.js')).text();
  expect(new Bun.Transpiler({ loader: 'js' }).scanImports(built)).toEqual([]);
  expect(Bun.gzipSync(built).length).toBeLessThan(30_000);
});

const SAMPLE = `
import { type AnswerOf, type BodyOf, type components, createPosthouse, PosthouseError } from 'posthouse/client';

const posthouse = createPosthouse({ url: 'https://files.example.org', token: 'secret' });
const file: components['schemas']['FileMetadata'] = await posthouse.get('/api/storage/files/{id}/metadata', {
  params: { path: { id: 'x' } },
});
const me: AnswerOf<'/api/me', 'get'> = await posthouse.get('/api/me');
const folder: BodyOf<'/api/storage/folders', 'post'> = { name: me.name, parentFolderId: file.folderId };
await posthouse.post('/api/storage/folders', { body: folder }).catch((error: unknown) => {
  if (error instanceof PosthouseError && error.code === 'name_taken') return null;
  throw error;
});
for (const { originalName } of (await posthouse.list('/api/storage/files/{id}', { params: { path: { id: 'x' } } })).items)
  originalName.toUpperCase();

// @ts-expect-error: no such path
await posthouse.get('/api/nothing');
// @ts-expect-error: the path needs an ID
await posthouse.get('/api/storage/files/{id}/metadata');
// @ts-expect-error: not a field of the body
await posthouse.post('/api/storage/folders', { body: { title: 'x' } });
// @ts-expect-error: not a code
new PosthouseError({ status: 400, code: 'nothing', detail: '' });
`;

describe('the unchanged examples of docs/client.md', () => {
  let program: string;
  beforeAll(async () => {
    const text = await Bun.file(join(ROOT, 'docs/client.md')).text();
    program = [...text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, block]) => block ?? '').join('');
  });

  test.each(['nodenext', 'bundler'] as const)(
    'compile, and so do the types of the client, with module resolution %s',
    async (resolution) => {
      expect(await compile(project, { 'sample.ts': SAMPLE, 'docs.ts': program }, resolution)).toBe('');
    },
  );

  test(
    'run against a server with nothing configured',
    async () => {
      await Bun.write(join(project, 'docs.ts'), program);
      const { token } = await addPerson(settings, 'reader@example.org');
      const environment = {
        POSTHOUSE: posthouse.url,
        TOKEN: token,
        CLIENT_ID: client.ClientId,
        CLIENT_SECRET: client.ClientSecret,
      };
      const { stdout, stderr } = await run(ROOT, [process.execPath, join(project, 'docs.ts')], environment);
      expect(stderr).toBe('');
      expect(stdout.trim().split('\n')).toEqual([
        'Signed in as reader@example.org',
        '[ "Holiday in Norway" ]',
        'text/html; charset=utf-8',
        'The folder exists.',
        'Sent',
        '112525 of 112525 bytes',
        'Paused',
        'film.mp4 20000000',
        'photo.jpg 112525',
      ]);
    },
    LIMIT_MS,
  );
});
