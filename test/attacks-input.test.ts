import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { connect } from 'node:net';
import { deflateSync } from 'node:zlib';
import { freshSettings } from './harness/backends.ts';
import { filesOf } from './harness/files.ts';
import { addMailClient, type MailClient, post } from './harness/mail.ts';
import { addPerson, type Posthouse, startPosthouse } from './harness/posthouse.ts';

/* Requests that are costly or unusual to parse: none fails unexpectedly, and the server keeps running. */

let posthouse: Posthouse;
let bearer: Record<string, string>;
let client: MailClient;
beforeAll(async () => {
  posthouse = await startPosthouse({
    ...(await freshSettings()),
    POSTHOUSE_TRUSTED_PROXIES: '127.0.0.1',
  });
  bearer = (await addPerson(posthouse.settings, 'ada@example.org')).headers;
  client = await addMailClient(posthouse.settings, 'app', '--services', 'email,telegram');
});
afterAll(async () => {
  expect(posthouse.output()).not.toContain('unexpected error');
  await posthouse.stop();
});

const many = <Item>(count: number, make: (index: number) => Item) =>
  Array.from({ length: count }, (_, index) => make(index));

/** Returns what the server sends until it closes the connection. */
async function answerTo(bytes: string): Promise<string> {
  const socket = connect(Number(new URL(posthouse.url).port), '127.0.0.1');
  let answer = '';
  socket.on('error', () => {});
  socket.on('data', (data) => {
    answer += data.toString('latin1');
  });
  socket.write(bytes, 'latin1');
  await new Promise((resolve) => socket.once('close', resolve));
  return answer;
}

describe('JSON', () => {
  const fields = (count: number, name: (index: number) => string) =>
    Object.fromEntries(many(count, (index) => [name(index), 1]));
  /** Returns a name in which the bits of `number` determine the case of the first `bits` letters. */
  const inCase = (text: string, number: number) =>
    [...text].map((letter, bit) => ((number >> bit) & 1 ? letter.toUpperCase() : letter)).join('');

  test.each<[string, string, number]>([
    ['19,999 unknown fields', JSON.stringify({ name: 'a', ...fields(19_999, (index) => `f${index}`) }), 201],
    ['60,000 unknown fields', JSON.stringify({ name: 'a', ...fields(60_000, (index) => `f${index}`) }), 400],
    [
      'line breaks in names',
      JSON.stringify({ name: 'b', ...fields(2, (index) => `${index}\r\nX-A: b`) }),
      201,
    ],
    ['a name of 900 KB', JSON.stringify({ name: 'c', ['x'.repeat(900_000)]: 1 }), 201],
    ['one field 256 times', `{${many(256, (index) => `"${inCase('parentfolderid', index)}":"root"`)}}`, 400],
    ['a number of 500,000 digits', `{"name":${'9'.repeat(500_000)}}`, 400],
    ['100,000 accents on a letter', JSON.stringify({ name: `a${'\u0301\u0323'.repeat(100_000)}` }), 400],
    ['characters that expand 18 times', JSON.stringify({ name: '\ufdfa'.repeat(4_000) }), 400],
  ])('%s', async (_, body, status) => {
    const answer = await post(posthouse, '/api/storage/folders', body, bearer);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('X-A')).toBeNull();
    expect((answer.headers.get('Posthouse-Ignored-Fields') ?? '').length).toBeLessThan(4_000);
  });

  test('is not unpacked', async () => {
    const body = Bun.gzipSync(Buffer.alloc(30_000_000, ' '));
    const headers = { ...bearer, 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' };
    const answer = await posthouse.fetch('/api/storage/folders', { method: 'POST', headers, body });
    expect([400, 415]).toContain(answer.status);
  });
});

describe('queries', () => {
  const forged = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const list = (query: string) => posthouse.fetch(`/api/storage/files/root?${query}`, { headers: bearer });

  test.each([[1e308, 'x'], [null], [{}, []], [['a'], 'b'], ['x'.repeat(1_000)], [-1, '\0'], { at: 1 }])(
    'a cursor that no listing returned',
    async (...value) => {
      expect((await list(`cursor=${forged(value)}`)).status).toBe(400);
    },
  );

  test.each([
    'limit=1e9',
    'limit=-1',
    'limit=99999999999999999999',
    'limit=1.5',
    'sort=__proto__',
    'order=constructor',
  ])('the value of %s is refused', async (query) => {
    expect((await list(query)).status).toBe(400);
  });

  test('wildcards of SQL are text', async () => {
    await filesOf(posthouse, bearer).upload('x', { name: 'aaaa.txt' });
    for (const text of ['%', '_', '%_'.repeat(100), '\\', '[a-z]', '*'])
      expect(await (await list(`search=${encodeURIComponent(text)}`)).json()).toEqual([]);
  });
});

describe('request heads', () => {
  test.each<[string, string]>([
    ['Accept', 'a/b;q=0.1,'.repeat(1_400)],
    ['Accept', `text/html;${' '.repeat(14_000)}x`],
    ['Accept-Encoding', 'gzip;q=0.001,'.repeat(1_000)],
    ['Cookie', 'a=b;'.repeat(3_500)],
    ['If-None-Match', '"a",'.repeat(3_500)],
    ['If-Range', `"${'a'.repeat(14_000)}`],
    ['Prefer', 'a="\\"b", '.repeat(1_500)],
    ['Prefer', `a${' '.repeat(14_000)}=`],
    ['Range', `bytes=${', '.repeat(7_000)}x`],
    ['X-Forwarded-For', '1.1.1.1,'.repeat(1_700)],
    ['Content-Type', `multipart/form-data; boundary=${'"'.repeat(14_000)}`],
  ])('14 KB of %s', async (name, value) => {
    for (const path of ['/openapi.json', '/api/storage/files/root', '/login', '/nothing'])
      expect((await posthouse.fetch(path, { headers: { ...bearer, [name]: value } })).status).toBeLessThan(
        500,
      );
  });

  test.each([
    '/%ff%fe',
    '/%00',
    '/%',
    '/public/file/%c0%ae',
    '/docs/%2e%2e/%2e%2e/etc/passwd',
    '/assets/..%2f..%2fsecret.key',
  ])('%s is not found', async (path) => {
    const answer = await answerTo(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 40[04] /);
  });

  test.each(['TRACE', 'CONNECT', 'PROPFIND', 'get', 'A'.repeat(5_000)])(
    'the method %s is refused',
    async (method) => {
      const answer = await answerTo(`${method} /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      expect(answer).toMatch(/^HTTP\/1\.1 40[05] /);
    },
  );

  test('4,000 ranges return the file once', async () => {
    const { id } = await filesOf(posthouse, bearer).upload('x'.repeat(10_000));
    const headers = { ...bearer, Range: `bytes=${'0-,'.repeat(4_000)}` };
    const answer = await posthouse.fetch(`/api/storage/files/${id}/content`, { headers });
    expect((await answer.bytes()).length).toBe(10_000);
  });

  const chunked = (chunks: string) =>
    `POST /api/storage/folders HTTP/1.1\r\nHost: x\r\nAuthorization: ${bearer.Authorization}\r\nConnection: close\r\n` +
    `Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}`;
  test.each<[string, string]>([
    ['a chunk extension of 5 MB', `2;${'x'.repeat(5_000_000)}\r\n{}\r\n0\r\n\r\n`],
    ['200,000 chunks of a byte', `${'1\r\n \r\n'.repeat(200_000)}0\r\n\r\n`],
    ['trailers of 5 MB', `2\r\n{}\r\n0\r\n${'X-A: b\r\n'.repeat(600_000)}\r\n`],
  ])('%s', async (_, chunks) => {
    expect(await answerTo(chunked(chunks))).toMatch(/^$|^HTTP\/1\.1 4\d\d /);
    expect((await posthouse.fetch('/healthz')).status).toBe(200);
  });

  test.each(['/healthz', '/api/me', '/nothing', '/api/storage/uploads'])(
    'a client that sends 50,000 requests for %s without a pause is cut off',
    async (path) => {
      const answers = await answerTo(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(50_000));
      expect(answers.split('HTTP/1.1 ').length).toBeLessThan(50);
      expect((await posthouse.fetch('/healthz')).status).toBe(200);
    },
  );
});

describe('forms', () => {
  const upload = (body: string, boundary: string) =>
    posthouse.fetch('/api/storage/files/root', {
      method: 'POST',
      headers: { ...bearer, 'Content-Type': `multipart/form-data; boundary=${boundary}` },
      body,
    });
  const part = '--x\r\nContent-Disposition: form-data; name="visibility"\r\n\r\n';

  test.each<[string, string, string]>([
    ['50,000 parts', `${part}1\r\n`.repeat(50_000), 'x'],
    ['a field of 20 MB', `${part}${'1'.repeat(20_000_000)}\r\n--x--\r\n`, 'x'],
    ['a head of 5 MB', `--x\r\nContent-Disposition: form-data; name="${'a'.repeat(5_000_000)}"\r\n\r\n`, 'x'],
    ['10 million beginnings of a boundary', part + '\r\n-'.repeat(10_000_000), 'x'],
    ['a boundary of dashes', `\r\n${'-'.repeat(71)}`.repeat(60_000), '-'.repeat(70)],
  ])('%s', async (_, body, boundary) => {
    expect([400, 413]).toContain((await upload(body, boundary)).status);
  });
});

test('the fields of a contact form are counted before they are parsed', async () => {
  const answer = await posthouse.fetch('/sendcontactusform', {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: '&'.repeat(1_000_000),
  });
  expect(answer.status).toBe(400);
  expect(await answer.text()).toContain('at most 200 fields');
});

describe('mails', () => {
  const send = (body: Record<string, unknown>) =>
    post(
      posthouse,
      '/requestemail',
      { ...client, To: 'a@example.org', Subject: 'x', Body: 'x', ...body },
      { Prefer: 'respond-async' },
    );
  const attachment = { FileName: 'a', Content: 'YQ==' };
  const html = (HtmlTemplate: string) => ({ Body: undefined, HtmlTemplate });

  test.each<[string, Record<string, unknown>, number]>([
    ['10,000 recipients', { To: many(10_000, (index) => `a${index}@example.org`) }, 400],
    ['40,000 recipients in a text', { To: many(40_000, (index) => `a${index}@example.org`).join() }, 400],
    ['an address of quotes', { To: `${'"a\\'.repeat(200_000)}@example.org` }, 400],
    ['an address of comments', { To: `${'('.repeat(200_000)}a@example.org` }, 400],
    ['an address of dots', { To: `${'a.'.repeat(200_000)}a@${'a.'.repeat(100_000)}org` }, 400],
    ['a subject of 900 KB', { Subject: 'ä'.repeat(450_000) }, 400],
    [
      '20,000 fields of the head',
      { Headers: Object.fromEntries(many(20_000, (index) => [`X-${index}`, 'v'])) },
      400,
    ],
    ['8,000 attachments', { Attachments: many(8_000, () => attachment) }, 400],
    [
      'an attachment of a long name',
      { Attachments: [{ ...attachment, FileName: 'ä'.repeat(250_000) }] },
      400,
    ],
    [
      'a list filtered and sorted again and again',
      {
        Body: "{% for i in (1..9999) %}{% assign b = a | where: 'k', i | sort: 'k' | uniq | map: 'k' %}{% endfor %}",
        TemplateData: { a: many(20_000, (k) => ({ k })) },
      },
      400,
    ],
    [
      'a text that is replaced by itself',
      { Body: "{{ a | replace: 'a', a }}", TemplateData: { a: 'a'.repeat(400_000) } },
      400,
    ],
    ['a range without an end', { Body: '{{ (1..99999999999) | size }}', TemplateData: {} }, 400],
    ['an included file', html('<mjml><mj-body><mj-include path="/etc/passwd" /></mj-body></mjml>'), 400],
    ['5,000 tables in each other', html('<table><tr><td>'.repeat(5_000)), 202],
    [
      'a cell over a billion columns',
      html(`<table>${'<tr><td colspan="999999999">x</td></tr>'.repeat(500)}</table>`),
      202,
    ],
    ['lists in lists that count from a billion', html('<ol start="999999999"><li>'.repeat(5_000)), 202],
    ['220,000 attributes', html(`<p ${'a=b '.repeat(220_000)}>`), 202],
    ['900,000 spaces', html(`a${' '.repeat(900_000)}b`), 202],
  ])('%s', async (_, body, status) => {
    const answer = await send(body);
    expect(answer.status).toBe(status);
  });

  test('a message with 10,000 recipients on Telegram', async () => {
    const Recipients = many(10_000, (index) => `${index + 1}`).join();
    expect((await post(posthouse, '/requesttelegram', { ...client, Recipients, Message: 'x' })).status).toBe(
      400,
    );
  });
});

describe('pictures', () => {
  const pngChunk = (type: string, data: Uint8Array) => {
    const typed = Buffer.concat([Buffer.from(type), data]);
    const words = Buffer.alloc(8);
    words.writeUInt32BE(data.length, 0);
    words.writeUInt32BE(Bun.hash.crc32(typed), 4);
    return Buffer.concat([words.subarray(0, 4), typed, words.subarray(4)]);
  };
  /** A PNG of 10 × 10 whose text and color profile unpack to 200 MB. */
  function textBomb(): Buffer {
    const packed = deflateSync(Buffer.alloc(200_000_000), { level: 9 });
    const named = Buffer.concat([Buffer.from('k\0\0', 'latin1'), packed]);
    return Buffer.concat([
      Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
      pngChunk('IHDR', Buffer.from([0, 0, 0, 10, 0, 0, 0, 10, 8, 2, 0, 0, 0])),
      pngChunk('zTXt', named),
      pngChunk('iCCP', named),
      pngChunk('IDAT', deflateSync(Buffer.alloc(310))),
      pngChunk('IEND', Buffer.alloc(0)),
    ]);
  }
  /** An animation of 1024 × 1024 whose frames take 23 bytes each. */
  function animation(frames: number): Buffer {
    const head = 'GIF89a\0\x04\0\x04\x80\0\0\0\0\0\xff\xff\xff';
    const frame = '\x21\xf9\x04\0\x01\0\0\0\x2c\0\0\0\0\0\x04\0\x04\0\x02\x02\x4c\x01\0';
    return Buffer.from(`${head}${frame.repeat(frames)};`, 'latin1');
  }
  const entities = ['a', 'b', 'c'].map(
    (name, index, all) => `<!ENTITY ${name} "${(index === 0 ? 'x' : `&${all[index - 1]};`).repeat(5_000)}">`,
  );
  const svg = (inner: string) =>
    `<!DOCTYPE svg [${entities.join('')}]><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${inner}</svg>`;
  /** A TIFF whose directory links to itself as the next one. */
  const loop = Buffer.from([73, 73, 42, 0, 8, 0, 0, 0, 1, 0, 0, 1, 3, 0, 1, 0, 0, 0, 1, 0, 0, 0, 8, 0, 0, 0]);

  test.each<[string, string, () => Buffer]>([
    ['a PNG with 200 MB of text', 'a.png', textBomb],
    ['a GIF of 200,000 frames', 'a.gif', () => animation(200_000)],
    ['an SVG of entities in entities', 'a.svg', () => Buffer.from(svg('<text>&c;</text>'))],
    ['an SVG with a file', 'b.svg', () => Buffer.from(svg('<image href="file:///etc/passwd"/>'))],
    ['a TIFF without an end', 'a.tiff', () => loop],
  ])('%s is stored', async (_, name, make) => {
    const { sizeBytes } = await filesOf(posthouse, bearer).upload(new Uint8Array(make()), { name });
    expect(sizeBytes).toBe(make().length);
    expect((await posthouse.fetch('/healthz')).status).toBe(200);
  });
});
