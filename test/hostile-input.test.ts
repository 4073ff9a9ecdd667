import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { BACKENDS, freshSettings } from './harness/backends.ts';
import { openBrowser } from './harness/browser.ts';
import { addMailClient, post } from './harness/mail.ts';
import { addPerson, type Posthouse, startPosthouse } from './harness/posthouse.ts';

describe.each(BACKENDS)('malformed requests on %s', (backend) => {
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

  test.each([
    'HTTP/1.0\r\n',
    'HTTP/1.1\r\nHost: a b\r\n',
    'HTTP/1.1\r\nHost: [::1\r\n',
    'HTTP/1.1\r\nHost: a:99999\r\n',
  ])('any Host is accepted, also with %j', async (line) => {
    expect(await statusLine(`GET /healthz ${line}Connection: close\r\n\r\n`)).toBe('HTTP/1.1 200 OK');
    expect(await statusLine(`GET /login?returnTo=/ ${line}Connection: close\r\n\r\n`)).toBe(
      'HTTP/1.1 302 Found',
    );
  });

  /** Returns the status line of the response to a request of exactly these bytes. */
  async function statusLine(request: string): Promise<string> {
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
        close: () => resolve(answer.split('\r\n', 1)[0] ?? ''),
      },
    });
    return await promise;
  }
});
