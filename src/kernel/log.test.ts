import { describe, expect, test } from 'bun:test';
import { createLog, describeError, withoutSecrets } from './log.ts';

/** Returns the log's output for `entry`. */
function logged(entry: object, message = 'something happened'): string {
  const lines: string[] = [];
  createLog('info', { write: (line) => lines.push(line) }).info(entry, message);
  return lines.join('');
}

const TELEGRAM = '123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw';

describe('texts lose', () => {
  test.each([
    ['a Telegram URL’s token', `POST https://api.telegram.org/bot${TELEGRAM}/sendMessage failed`],
    ['a Telegram token alone', `the token ${TELEGRAM} is wrong`],
    ['a file URL’s token', `https://api.telegram.org/file/bot${TELEGRAM}/a.jpg`],
    ['the user part of a URL', 'connect to smtp://user:AAHdqTcvCH1@mail.example.org:587 failed'],
    ['a password with an @', 'postgres://user:p@AAHdqTcvCH1@db.example.org/x'],
    ['a user without a password', 'https://AAHdqTcvCH1@example.org/'],
    ['query secrets', 'GET /api/storage/public/media/x?accessKey=AAHdqTcvCH1&filePassword=AAHdqTcvCH1'],
    [
      'query secrets of another spelling',
      '?file_password=AAHdqTcvCH1&access_token=AAHdqTcvCH1&X-Amz-Signature=AAHdqTcvCH1',
    ],
    [
      'a login’s code and state',
      'https://files.example.org/auth/callback?code=AAHdqTcvCH1&state=AAHdqTcvCH1',
    ],
    ['bearer tokens', 'Authorization: Bearer AAHdqTcvCH1'],
    ['Discord’s bot tokens', 'Authorization: Bot AAHdqTcvCH1.x.y'],
    ['basic credentials', 'authorization: basic AAHdqTcvCH1=='],
    [
      'UI tokens in paths',
      'GET /public/file/9AAHdqTcvCH1vGWJxfSeofSAs0K5PALx and /public/media/9AAHdqTcvCH1vGWJxfSeofSAs0K5PALx?x=1',
    ],
    ['direct tokens in paths', 'GET /api/storage/public/media/9AAHdqTcvCH1vGWJxfSeofSAs0K5PALx'],
    ['JSON fields', '{"ClientSecret":"AAHdqTcvCH1","password": "AAHdqTcvCH1","BotToken":"AAHdqTcvCH1"}'],
    ['assignments', 'ClientSecret=AAHdqTcvCH1&Password=AAHdqTcvCH1'],
    ['JSON within JSON', String.raw`{"body":"{\"ClientSecret\":\"AAHdqTcvCH1\"}"}`],
    ['the session cookie', 'Cookie: posthouse=AAHdqTcvCH1; __Host-posthouse=AAHdqTcvCH1'],
  ])('%s', (_, text) => {
    expect(withoutSecrets(text)).not.toContain('AAHdqTcvCH1');
    expect(withoutSecrets(text)).toContain('[hidden]');
  });
});

test('harmless texts are unchanged', () => {
  for (const text of [
    'connect ECONNREFUSED 127.0.0.1:5432',
    'https://example.org/a/b?page=2&sort=name',
    '550 5.1.1 <nobody@example.org>: Recipient address rejected',
    'at 2026-07-01T10:20:30.123Z: 10 of 12 done',
    'mail from Team <team@example.org> to https://example.org/@team',
    'The bot is not in this guild',
    'token: must have at least 8 characters',
    'Unexpected token < in JSON at position 0',
    'password authentication failed for user "posthouse"',
  ]) {
    expect(withoutSecrets(text)).toBe(text);
  }
});

describe('an entry of the log', () => {
  test('hides fields with the names of secrets, in any spelling', () => {
    const names = [
      'password',
      'Password',
      'filePassword',
      'accessKey',
      'AccessKey',
      'ClientSecret',
      'clientsecret',
      'token',
      'BotToken',
      'authorization',
      'Cookie',
      'set-cookie',
      'x-access-key',
      'X-File-Password',
      'directToken',
    ];
    for (const name of names) {
      expect(logged({ [name]: 'AAHdqTcvCH1' })).not.toContain('AAHdqTcvCH1');
      expect(logged({ body: { [name]: 'AAHdqTcvCH1' } })).not.toContain('AAHdqTcvCH1');
      expect(logged({ request: { headers: [{ [name]: 'AAHdqTcvCH1' }] } })).not.toContain('AAHdqTcvCH1');
    }
  });

  test('hides secrets within texts and in the message', () => {
    expect(
      logged({ url: `https://api.telegram.org/bot${TELEGRAM}/x` }, `bot${TELEGRAM} failed`),
    ).not.toContain(TELEGRAM);
  });

  test('keeps the fields that identify a request', () => {
    const entry = JSON.parse(
      logged({
        requestId: 'r1',
        route: '/public/file/:token',
        status: 200,
        code: 404,
        error: new TypeError('odd'),
      }),
    ) as Record<string, unknown>;
    expect(entry).toMatchObject({
      level: 'info',
      msg: 'something happened',
      requestId: 'r1',
      route: '/public/file/:token',
      status: 200,
      error: { name: 'TypeError', message: 'odd' },
    });
    expect(String(entry.time)).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  });

  test('does not fail on values that cannot be serialized', () => {
    const circle: Record<string, unknown> = { name: 'circle', big: 1n, bytes: Buffer.from('x') };
    circle.self = circle;
    expect(logged({ circle })).toContain('something happened');
  });
});

describe('an error', () => {
  test('is logged with its causes, without attached properties and secrets', () => {
    const cause = Object.assign(new Error('connect to redis://u:hunter2@h failed'), {
      code: 'ECONNREFUSED',
      config: { auth: 'hunter2' },
    });
    const facts = describeError(
      Object.assign(new Error('no answer', { cause }), { request: { token: 'hunter2' } }),
    );
    expect(facts).toMatchObject({ name: 'Error', message: 'no answer', cause: { code: 'ECONNREFUSED' } });
    expect(JSON.stringify(facts)).not.toContain('hunter2');
  });

  test('may be its own cause or another value', () => {
    const circle = new Error('round');
    circle.cause = circle;
    expect(JSON.stringify(describeError(circle))).toContain('round');
    expect(describeError('just text')).toEqual({ name: 'unknown', message: 'just text' });
    expect(describeError(undefined).message).toBe('undefined');
  });
});
