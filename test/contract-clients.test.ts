import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { freshSettings } from './harness/backends.ts';
import { addSandboxTarget, type ChatChannel } from './harness/chat.ts';
import { addMailClient, type MailClient } from './harness/mail.ts';
import { addPerson, type Posthouse, startPosthouse } from './harness/posthouse.ts';

/* The requests of other programs, byte for byte as their libraries send them. */

describe('requests in the formats of other clients', () => {
  let posthouse: Posthouse;
  let token: string;
  let target: ChatChannel['target'];
  let client: MailClient;
  beforeAll(async () => {
    const settings = await freshSettings();
    posthouse = await startPosthouse(settings);
    ({ token } = await addPerson(settings, 'ada@example.org'));
    target = await addSandboxTarget(settings, 'relay');
    client = await addMailClient(
      settings,
      'app',
      '--services',
      'email,contact',
      '--with-contact',
      '--contact-to',
      'us@example.org',
    );
  });
  afterAll(() => posthouse.stop());

  interface Exchange {
    head: string;
    body: string;
  }

  /** Sends one request over a new connection; `rest` follows after `100 Continue`. */
  async function exchange(request: string, rest?: string): Promise<Exchange> {
    const { promise, resolve } = Promise.withResolvers<string>();
    let answer = '';
    let waiting = rest;
    await Bun.connect({
      hostname: '127.0.0.1',
      port: Number(new URL(posthouse.url).port),
      socket: {
        open: (socket) => void socket.write(request),
        data(socket, bytes) {
          answer += bytes.toString();
          if (waiting === undefined || !answer.startsWith('HTTP/1.1 100')) return;
          answer = answer.slice(answer.indexOf('\r\n\r\n') + 4);
          socket.write(waiting);
          waiting = undefined;
        },
        close: () => resolve(answer),
      },
    });
    const whole = await promise;
    const end = whole.indexOf('\r\n\r\n');
    return { head: whole.slice(0, end), body: whole.slice(end + 4) };
  }

  const request = (path: string, headers: Record<string, string>, body: string) =>
    exchange(requestText(path, { ...headers, 'content-length': String(Buffer.byteLength(body)) }) + body);
  const requestText = (path: string, headers: Record<string, string>) =>
    `POST ${path} HTTP/1.1\r\nhost: files.example\r\nconnection: close\r\n${Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')}\r\n`;
  const authorization = () => ({ authorization: `Bearer ${token}` });

  /** Uploads into the root; returns the record. */
  async function upload(contentType: string, body: string): Promise<object> {
    const { head, body: answer } = await request(
      '/api/storage/files/root',
      { ...authorization(), 'content-type': contentType },
      body.replaceAll('\n', '\r\n'),
    );
    expect(head.split('\r\n', 1)[0]).toBe('HTTP/1.1 201 Created');
    return JSON.parse(answer) as object;
  }

  test.each([
    [
      '.NET, with quotes around the boundary and none around the names',
      'multipart/form-data; boundary="6e2f0b1c-1d1e-4a4e"',
      `--6e2f0b1c-1d1e-4a4e
Content-Type: text/plain; charset=utf-8
Content-Disposition: form-data; name=originalName

Plan größer.txt
--6e2f0b1c-1d1e-4a4e
Content-Disposition: form-data; name=file; filename=plan.txt; filename*=utf-8''plan.txt

words
--6e2f0b1c-1d1e-4a4e--
`,
      'Plan größer.txt',
    ],
    [
      '.NET, with a name in another language',
      'multipart/form-data; boundary="b"',
      `--b
Content-Disposition: form-data; name=file; filename="=?utf-8?B?w5YudHh0?="; filename*=utf-8''%C3%96.txt

words
--b--
`,
      'Ö.txt',
    ],
    [
      'curl, with the field after the file',
      'multipart/form-data; boundary=------------------------d74496d66958873e',
      `--------------------------d74496d66958873e
Content-Disposition: form-data; name="file"; filename="a.txt"
Content-Type: text/plain

words
--------------------------d74496d66958873e
Content-Disposition: form-data; name="originalName"

after.txt
--------------------------d74496d66958873e--
`,
      'after.txt',
    ],
    [
      'OkHttp, with a length for each part',
      'multipart/form-data; boundary=1f3c',
      `--1f3c
Content-Disposition: form-data; name="file"; filename="ok.txt"
Content-Type: application/octet-stream
Content-Length: 5

words
--1f3c--
`,
      'ok.txt',
    ],
    [
      'a boundary of odd characters, other letter case, a preamble and an epilogue',
      `Multipart/Form-Data; charset=utf-8; Boundary="a'()+_,-./:=? b"`,
      `This is a message in several parts.
--a'()+_,-./:=? b
CONTENT-DISPOSITION: Form-Data; NAME="file"; FILENAME="odd.txt"

words
--a'()+_,-./:=? b--
more
`,
      'odd.txt',
    ],
  ])('an upload by %s', async (_, contentType, body, name) => {
    expect(await upload(contentType, body)).toMatchObject({
      OriginalName: name,
      SizeBytes: 5,
      MimeType: 'text/plain',
    });
  });

  test('an upload that waits for “100 Continue” receives it', async () => {
    const body =
      '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nwords\r\n--b--\r\n';
    const head = requestText('/api/storage/files/root', {
      ...authorization(),
      'content-type': 'multipart/form-data; boundary=b',
      'content-length': String(body.length),
      expect: '100-continue',
    });
    const answer = await exchange(head, body);
    expect(answer.head.split('\r\n', 1)[0]).toBe('HTTP/1.1 201 Created');
    expect(JSON.parse(answer.body)).toMatchObject({ OriginalName: 'a.txt', SizeBytes: 5 });
  });

  test.each([
    'application/json; charset=utf-8',
    'Application/JSON;charset="UTF-8"',
    'application/json; odata=verbose',
  ])('JSON as %s, with a byte order mark and unknown fields', async (type) => {
    const sent = await request(
      '/api/chatbot/sendmessage',
      { 'content-type': type },
      `\ufeff${JSON.stringify({ ...target, title: '', message: `Grüße als ${type}`, priority: 3, nested: { any: [] } })}`,
    );
    expect(JSON.parse(sent.body)).toMatchObject({ status: 'sent', sandbox: true });
  });

  test('mail in other letter case, with null for absent fields', async () => {
    const body = {
      clientId: client.ClientId,
      CLIENTSECRET: client.ClientSecret,
      to: ['a@example.org'],
      cc: null,
      subject: 'x',
      body: 'x',
    };
    const sent = await request(
      '/requestemail',
      { 'content-type': 'application/json; charset=utf-8' },
      JSON.stringify(body),
    );
    expect(JSON.parse(sent.body)).toMatchObject({
      Status: 'Sent',
      Recipients: [{ Address: 'a@example.org' }],
    });
  });

  test('a contact form by a page’s own FormData', async () => {
    const form = new FormData();
    const fields = {
      ...client,
      Email: 'a@example.org',
      Message: 'Hello',
      'Fields[Company]': 'Example',
      submit: 'Send',
    };
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    const sent = await posthouse.fetch('/sendcontactusform', { method: 'POST', body: form });
    expect([sent.status, ((await sent.json()) as { Status: string }).Status]).toEqual([200, 'Sent']);
  });
});
