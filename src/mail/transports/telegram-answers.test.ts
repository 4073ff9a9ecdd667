import { afterEach, expect, test } from 'bun:test';
import { fetchWithAnswers } from './telegram-answers.ts';

let server: Bun.Server<undefined> | null = null;

afterEach(async () => {
  await server?.stop(true);
  server = null;
});

async function answerTo(response: () => Response): Promise<unknown> {
  server = Bun.serve({ port: 0, fetch: response });
  return await (await fetchWithAnswers(server.url.href, {})).json();
}

const limited = { ok: false, error_code: 429, description: 'Too Many Requests' };

test.each([
  { ok: true, result: { message_id: 7 } },
  { ok: true, result: true },
  { ...limited, parameters: { retry_after: 3 } },
  { ok: false, error_code: 400, description: 'Bad Request: chat not found' },
  { ok: false, error_code: 400, description: 'upgraded', parameters: { migrate_to_chat_id: -100_123 } },
])('a response of Telegram is passed on, %#', async (answer) => {
  expect(await answerTo(() => Response.json(answer))).toEqual(answer);
});

test.each([
  'not JSON',
  '{"ok":false,"error":"quota"}',
  '{"ok":false,"error_code":"x","description":"x"}',
  '{"ok":true',
  JSON.stringify({ ...limited, parameters: { retry_after: 'soon' } }),
  JSON.stringify({ ...limited, parameters: { migrate_to_chat_id: '@other' } }),
  JSON.stringify({ ...limited, parameters: { migrate_to_chat_id: 1.5 } }),
  '',
])('another response is none of Telegram, %#', async (text) => {
  for (const [status, isSuccess] of [
    [200, true],
    [302, false],
    [403, false],
    [404, false],
    [502, false],
  ] as const) {
    const headers = { Location: 'https://portal.example.org/' };
    const thrown: unknown = await answerTo(() => new Response(text, { status, headers })).catch(
      (error) => error,
    );
    expect(thrown).toMatchObject({ name: 'ForeignResponse', message: `status ${status}`, isSuccess });
    await server?.stop(true);
  }
});

test('a longer delay than a day, for which a message is retried, is cut to a day', async () => {
  const answer = (retry_after: number) => ({ ...limited, parameters: { retry_after } });
  expect(await answerTo(() => Response.json(answer(200_000)))).toEqual(answer(86_400));
});

test('of a long description, the beginning is kept', async () => {
  const answer = { ok: false, error_code: 400, description: 'x'.repeat(10_000) };
  expect(await answerTo(() => Response.json(answer))).toEqual({ ...answer, description: 'x'.repeat(500) });
});

test('a response of more than 1 MB is not read to its end', async () => {
  const body = new Uint8Array(2_000_000).fill(32);
  await expect(answerTo(() => new Response(body))).rejects.toThrow('more than 1048576 bytes');
});
