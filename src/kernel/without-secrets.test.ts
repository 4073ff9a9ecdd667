import { describe, expect, test } from 'bun:test';
import { HIDDEN, hideSecrets, withoutSecrets } from './without-secrets.ts';

const TELEGRAM = '123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw';

describe('texts lose', () => {
  test.each([
    ['a Telegram URL’s token', `POST https://api.telegram.org/bot${TELEGRAM}/sendMessage failed`],
    ['a Telegram token alone', `the token ${TELEGRAM} is wrong`],
    ['a percent-encoded Telegram token', `bad token ${encodeURIComponent(TELEGRAM)}`],
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
    [
      'password links, of which the signature is the secret',
      'https://files.example.org/password/01900000-0000-7000-8000-00000000000a.1767225600000.AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsawAAHdqTcvCH1',
    ],
    [
      'addresses of uploads through links, and of pixels',
      'PATCH /public/folder/x/uploads/01900000-0000-7000-8000-00000000000a.AAHdqTcvCH1vGWJxfSeofSAs, GET /mail/opens/01900000-0000-7000-8000-00000000000a.vGWJxfSeofSAsAAHdqTcvCH1',
    ],
    ['passes of files', 'the pass 1767225600000.AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsawAAHdqTcvCH1 has ended'],
    [
      'access tokens',
      'posthouse_AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsawvGWJxfSx and posthouse_workspace_AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsawvGWJxfSx',
    ],
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
    'database posthouse_test_01900000_0000_7000 does not exist',
    'ENOENT: blobs/01/01900000-0000-7000-8000-00000000000a.part',
    'password authentication failed for user "posthouse"',
  ]) {
    expect(withoutSecrets(text)).toBe(text);
  }
});

test('a known secret is hidden in each form in which a peer may repeat it', () => {
  const secret = 'pä/ss "w(rd" 1+1?';
  const forms = [
    secret,
    encodeURIComponent(secret),
    'p%c3%a4%2fss%20%22w(rd%22%201%2b1%3f',
    'p%C3%A4%2Fss%20%22w%28rd%22%201%2B1%3F',
    new URLSearchParams({ '': secret }).toString().slice(1),
    JSON.stringify(secret).slice(1, -1),
    String.raw`p\u00e4/ss \"w(rd\" 1+1?`,
    String.raw`p\u00e4\/ss \"w(rd\" 1+1?`,
    String.raw`p\u00E4/ss \u0022w(rd\u0022 1\u002B1?`,
    Buffer.from(secret).toString('base64'),
    Buffer.from(secret).toString('base64url'),
  ];
  for (const form of forms) expect(hideSecrets(`a ${form} b`, [secret])).toBe(`a ${HIDDEN} b`);
  expect(hideSecrets('an abc', ['abc', ''])).toBe('an abc');
});
