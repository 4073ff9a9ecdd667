import { describe, expect, test } from 'bun:test';
import { createLog, describeError } from './log.ts';

/** Returns the log's output for `entry`. */
function logged(entry: object, message = 'something happened'): string {
  const lines: string[] = [];
  createLog('info', { write: (line) => lines.push(line) }).info(entry, message);
  return lines.join('');
}

const TELEGRAM = '123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw';

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

  test('is cut, since it can contain a whole response of a peer', () => {
    const long = 'x'.repeat(1_000_000);
    const error = new Error(long, { cause: long });
    expect(logged({ error, refusal: long }).length).toBeLessThan(20_000);
  });

  test('may be its own cause or another value', () => {
    const circle = new Error('round');
    circle.cause = circle;
    expect(JSON.stringify(describeError(circle))).toContain('round');
    expect(describeError('just text')).toEqual({ name: 'unknown', message: 'just text' });
    expect(describeError(undefined).message).toBe('undefined');
  });
});
