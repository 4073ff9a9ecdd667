import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { freshSettings, ONE_BACKEND } from './harness/backends.ts';
import { openBrowser } from './harness/browser.ts';
import { addMailClient, post } from './harness/mail.ts';
import { addPerson, type Posthouse, startPosthouse } from './harness/posthouse.ts';

describe.each(ONE_BACKEND)('malformed requests on %s', (backend) => {
  let posthouse: Posthouse;
  beforeAll(async () => {
    posthouse = await startPosthouse({
      ...(await freshSettings(backend)),
      POSTHOUSE_ALLOW_PRIVATE_HOSTS: 'true',
    });
  });
  afterAll(async () => {
    expect(posthouse.output()).not.toContain('unexpected error');
    await posthouse.stop();
  });

  test.each([
    '/api/storage/public/media/%00',
    '/public/media/a%00b',
    '/public/file/%00',
    '/public/media/%ff',
    '/oidc/%00',
    '/oidc/nothing',
  ])('%s is not found', async (path) => {
    const answer = await posthouse.fetch(path);
    expect([answer.status, answer.headers.get('Content-Type')]).toEqual([404, 'application/problem+json']);
    expect(await answer.json()).toMatchObject({ code: 'not_found' });
  });

  test('U+0000 in an address is rejected like any other wrong address', async () => {
    await addPerson(posthouse.settings, 'ada@example.org');
    const browser = openBrowser(posthouse.url);
    const page = await browser.submit(await browser.visit('/login'), {
      email: 'ada\u0000@example.org',
      password: 'correct horse battery',
    });
    expect(page.status).toBe(401);
    expect(page.text).toContain('The e-mail address or the password is wrong.');
  });

  test('U+0000 in a field that is looked up is an invalid request', async () => {
    const client = await addMailClient(posthouse.settings, 'nul', '--services', 'email');
    const { status, body } = await post(posthouse, '/requestemail', {
      ...client,
      To: 'a@example.org',
      TemplateName: 'a\u0000',
    });
    expect([status, body.code]).toEqual([400, 'invalid_request']);
  });

  test('U+0000 in a contact form is reported for its field', async () => {
    const services = ['--services', 'contact', '--contact-to', 'office@example.org'];
    const client = await addMailClient(posthouse.settings, 'contact', ...services);
    const form = { ...client, Email: 'a@example.org', Message: 'Hello \\u0000', Name: 'Ada' };
    expect((await post(posthouse, '/sendcontactusform', form)).status).toBe(200);
    for (const [field, value] of Object.entries({ Message: 'a\0', Name: '\0', Fields: { a: ['\0'] } })) {
      const { status, body } = await post(posthouse, '/sendcontactusform', { ...form, [field]: value });
      expect([status, body.errors]).toEqual([
        400,
        [{ path: field, message: 'must not contain the character U+0000' }],
      ]);
    }
  });

  test('an error names the first of many invalid fields', async () => {
    const client = await addMailClient(posthouse.settings, 'many fields', '--services', 'telegram');
    const Recipients = Array.from({ length: 9_999 }, () => '');
    const answers = [
      await post(posthouse, '/api/chatbot/sendmessage', fieldsOf(19_000), { Prefer: 'handling=strict' }),
      await post(posthouse, '/requesttelegram', { ...client, Recipients, Message: 'x' }),
    ];
    for (const { status, body } of answers) {
      expect([status, body.code, body.errors?.length]).toEqual([400, 'invalid_request', 100]);
      expect(body.detail).toMatch(/; and \d+ more$/);
    }
    const tooMany = await post(posthouse, '/requesttelegram', {
      ...client,
      Recipients: [...Recipients, '', ''],
      Message: 'x',
    });
    expect(tooMany.body.detail).toBe('Recipients: must have at most 10000 items');
    const [long] = [
      await post(
        posthouse,
        '/api/chatbot/sendmessage',
        { ['x'.repeat(1_000)]: 1 },
        { Prefer: 'handling=strict' },
      ),
    ];
    expect(long.body.errors?.[0]?.path).toBe(`${'x'.repeat(200)}…`);
  });

  test('the issuer refuses a query with repeated or too many parameters', async () => {
    const many = Array.from({ length: 51 }, (_, index) => `p${index}`).join('&');
    for (const path of [`/oidc/auth?${'a&'.repeat(5_000)}`, '/oidc/auth/x?b=1&b=2', `/oidc/auth?${many}`]) {
      const answer = await posthouse.fetch(path);
      expect([path.slice(0, 20), answer.status]).toEqual([path.slice(0, 20), 400]);
      expect(await answer.json()).toMatchObject({ code: 'invalid_request' });
    }
  });

  test('responses of a mail server with U+0000 are processed', async () => {
    using server = Bun.listen({
      hostname: '127.0.0.1',
      port: 0,
      socket: {
        open: (socket) => void socket.write('220 here\r\n'),
        data(socket, bytes) {
          for (const line of bytes.toString().split('\r\n').filter(Boolean)) {
            socket.write(
              line.startsWith('RCPT')
                ? '550 no \u0000 such person\r\n'
                : line.startsWith('QUIT')
                  ? '221 bye\r\n'
                  : '250 yes\r\n',
            );
          }
        },
      },
    });
    const client = await addMailClient(posthouse.settings, 'hostile server', '--services', 'email');
    const sent = await post(posthouse, '/requestemail', {
      ...client,
      To: 'a@example.org',
      Subject: 'x',
      Body: 'x',
      SmtpConfiguration: { Host: '127.0.0.1', Port: server.port, Security: 'None', From: 'b@example.org' },
    });
    expect([sent.status, sent.body.code]).toEqual([502, 'platform_rejected']);
    expect(sent.body.detail).toContain('such person');
  });

  const STREAMED = '/api/storage/export/0190a5b4-7c1e-7000-8000-000000000000';

  test('HTTP/1.0 requires no Host', async () => {
    expect(await answerTo('GET /healthz HTTP/1.0\r\n\r\n')).toStartWith('HTTP/1.1 200 OK');
    const host = 'HTTP/1.1\r\nHost: [::1]:80\r\nConnection: close\r\n\r\n';
    expect(await answerTo(`GET /login?returnTo=/ ${host}`)).toStartWith('HTTP/1.1 302 Found');
  });

  test.each([
    'Host: a.example\r\nHost: b.example',
    'Host: a.example, b.example',
    'Host: a b<>',
    'Host: [::1',
    'Host: a:99999',
    'Host: user@a.example',
    'Host: a.example/path',
  ])('the request is refused and the connection closed after %j', async (host) => {
    for (const path of ['/healthz', STREAMED])
      expect(problemIn(await answerTo(`GET ${path} HTTP/1.1\r\n${host}\r\n\r\n`))).toEqual([
        400,
        'invalid_request',
      ]);
  });

  test.each(['xchunked', 'gzip, chunked', 'identity', 'chunked;q=1'])(
    'the transfer coding %s is refused, and nothing after it is taken as a request',
    async (coding) => {
      for (const path of ['/requestemail', STREAMED]) {
        const head = `POST ${path} HTTP/1.1\r\nHost: a.example\r\nTransfer-Encoding: ${coding}\r\n\r\n`;
        const answer = await answerTo(`${head}GET /healthz HTTP/1.1\r\nHost: a.example\r\n\r\n`);
        expect(answer).toMatch(/^HTTP\/1\.1 (?:501|400) /);
        expect(answer).not.toContain(' 200 OK');
      }
    },
  );

  test.each([
    ['gzip, chunked', 501, 'not_implemented'],
    ['chunked,', 400, 'invalid_request'],
  ])('a complete body in the transfer coding %s is refused with a problem', async (coding, status, code) => {
    const head = `POST /requestemail HTTP/1.1\r\nHost: a.example\r\nTransfer-Encoding: ${coding}\r\n\r\n`;
    expect(problemIn(await answerTo(`${head}0\r\n\r\n`))).toEqual([status, code]);
  });

  /** Returns the status and the code of a response whose body is a problem. */
  function problemIn(answer: string): [number, string] {
    expect(answer).toContain('application/problem+json');
    const body = answer.slice(answer.indexOf('\r\n\r\n'));
    const { code } = JSON.parse(body.slice(body.indexOf('{'), body.lastIndexOf('}') + 1)) as { code: string };
    return [Number(answer.split(' ')[1]), code];
  }

  /**
   * Returns all that the server sends until it closes the connection after a request of exactly these bytes.
   */
  async function answerTo(request: string): Promise<string> {
    const { promise, resolve } = Promise.withResolvers<string>();
    let answer = '';
    await Bun.connect({
      hostname: '127.0.0.1',
      port: Number(new URL(posthouse.url).port),
      socket: {
        open: (socket) => void socket.write(request),
        data(_, bytes) {
          answer += bytes.toString();
        },
        close: () => resolve(answer),
      },
    });
    return await promise;
  }
});

const fieldsOf = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`unknown${index}`, 1]));
