import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createPosthouse } from '../src/client/index.ts';
import { freshSettings } from './harness/backends.ts';
import { addSandboxTarget } from './harness/chat.ts';
import { addMailClient, type MailClient } from './harness/mail.ts';
import { addPerson, type Posthouse, startPosthouse } from './harness/posthouse.ts';

const PAGE = 'https://app.example';
/** Header fields that a page may send and read without the server's permission (Fetch Standard §2.2.2). */
const SENT = new Set(['accept', 'accept-language', 'content-language']);
const FORM = /^(?:multipart\/form-data|text\/plain|application\/x-www-form-urlencoded)/;
const READ = ['cache-control', 'content-language', 'content-length', 'content-type', 'expires'];

/** Sends a request as a browser does for a page of another origin, or fails like it (Fetch Standard §3.3). */
async function fromPage(request: Request): Promise<Response> {
  const { method, url, headers } = request;
  const names = [...headers].flatMap(([name, value]) =>
    SENT.has(name) || (name === 'content-type' && FORM.test(value)) ? [] : [name],
  );
  if (names.length > 0 || !['GET', 'HEAD', 'POST'].includes(method)) {
    const asked = { 'Access-Control-Request-Method': method, 'Access-Control-Request-Headers': names.join() };
    const preflight = await fetch(url, { method: 'OPTIONS', headers: { Origin: PAGE, ...asked } });
    requireOrigin(preflight);
    const refused = names.filter((name) => !listOf(preflight, 'Access-Control-Allow-Headers').includes(name));
    const methods = listOf(preflight, 'Access-Control-Allow-Methods');
    if (refused.length > 0) throw new TypeError(`${refused.join()} not allowed for ${url}`);
    if (!methods.includes(method.toLowerCase())) throw new TypeError(`${method} not allowed for ${url}`);
  }
  headers.set('Origin', PAGE);
  const response = await fetch(request);
  requireOrigin(response);
  const readable = [...READ, ...listOf(response, 'Access-Control-Expose-Headers')];
  const seen = [...response.headers].filter(([name]) => readable.includes(name));
  return new Response(response.body, { status: response.status, headers: seen });
}

const listOf = ({ headers }: Response, name: string): string[] =>
  (headers.get(name) ?? '').toLowerCase().split(/\s*,\s*/);

function requireOrigin({ headers, url }: Response): void {
  if (![PAGE, '*'].includes(headers.get('Access-Control-Allow-Origin') ?? ''))
    throw new TypeError(`no response allowed from ${url}`);
}

describe('the client on a page of another origin', () => {
  let server: Posthouse;
  let posthouse: ReturnType<typeof createPosthouse>;
  let mail: MailClient;
  let target: Awaited<ReturnType<typeof addSandboxTarget>>;
  const failures: unknown[] = [];

  beforeAll(async () => {
    const settings = { ...(await freshSettings('sqlite+local')), POSTHOUSE_CORS_ORIGINS: PAGE };
    server = await startPosthouse(settings);
    const { token } = await addPerson(settings, 'ada@example.org');
    mail = await addMailClient(settings, 'page', '--services', 'email');
    target = await addSandboxTarget(settings, 'page');
    posthouse = createPosthouse({
      url: server.url,
      token,
      fetch: (request) =>
        fromPage(request).catch((error) => {
          failures.push(error);
          throw error;
        }),
    });
  });
  afterAll(() => server.stop());

  test('calls endpoints and uploads files', async () => {
    expect(await posthouse.get('/api/me')).toMatchObject({ email: 'ada@example.org' });
    const { fileId } = await posthouse.uploads.upload(new Blob(['whole']), { name: 'whole.txt' });
    await posthouse.uploads.resumable(new Blob(['chunks']), { name: 'chunks.txt' });
    const params = { path: { id: fileId } };
    await posthouse.patch('/api/storage/files/{id}', { params, body: { visibility: 1 } });
    await posthouse.delete('/api/storage/files/{id}', { params });
    const root = { params: { path: { id: 'root' } } };
    expect((await posthouse.list('/api/storage/files/{id}', root)).items).toHaveLength(1);
    expect(failures).toEqual([]);
  });

  test('reads the maximum size of a file', async () => {
    expect(await posthouse.uploads.maxBytes()).toBe(209_715_200);
  });

  test('sends messages, and reads the bytes of shared files', async () => {
    const body = { ...mail, To: 'friend@example.org', Subject: 'Hello', Body: 'Hello' };
    expect(await posthouse.post('/requestemail', { body })).toMatchObject({ Status: 'Sent' });
    const { id } = await posthouse.post('/api/chatbot/sendmessage', {
      body: { ...target, message: 'Hello' },
      headers: { 'X-Relay-Key': 'any' },
    });
    const sent = await posthouse.get('/api/chatbot/messages/{id}', { params: { path: { id } } });
    expect(sent).toMatchObject({ status: 'sent' });
    const { fileId } = await posthouse.uploads.upload(new Blob(['shared']), { name: 'shared.txt' });
    const params = { path: { id: fileId } };
    await posthouse.patch('/api/storage/files/{id}', { params, body: { visibility: 1 } });
    const { directToken } = await posthouse.get('/api/storage/files/{id}/metadata', { params });
    for (const host of ['', server.url]) {
      const bytes = await posthouse.send(`${host}/api/storage/public/media/${directToken}`);
      expect(await bytes.text()).toBe('shared');
    }
    expect(failures).toEqual([]);
  });
});
