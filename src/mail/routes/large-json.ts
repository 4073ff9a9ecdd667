import { SECOND } from '../../kernel/clock.ts';
import { JSON_LIMIT, parseJson, readBytes, readJsonValue, requireMediaType } from '../../kernel/http/body.ts';
import type { Ctx } from '../../kernel/http/context.ts';
import { HttpProblem } from '../../kernel/http/problems.ts';
import type { RawBody } from '../../kernel/http/request-body.ts';
import { limitKey } from '../../kernel/ip.ts';
import { createSlots } from '../../kernel/limits/concurrency.ts';
import { tooMany } from '../../kernel/problem.ts';

const LARGE_LIMIT = 36 * 1_048_576;
const RECEIVED_AT_ONCE = 16;
const RECEIVED_AT_ONCE_EACH = 8;
const PARSED_AT_ONCE = 2;
/** Ends slow uploads, which would keep others from being received. */
const LONGEST_RECEIPT_MS = 60 * SECOND;

/**
 * Returns a reader of JSON bodies of up to 36 MB. To bound the memory, only 16 bodies above 1 MB are received at once
 * (8 from one address), and only two exist in parsed form: from the end of `read` until their `release`.
 * @throws Problem 429 `rate_limited` while too many are received, 413, 415, 400
 */
export function createLargeJsonReader(): (c: Ctx) => Promise<RawBody> {
  const receiving = new Map<string, number>();
  const slot = createSlots(PARSED_AT_ONCE);

  async function receive(c: Ctx): Promise<Uint8Array> {
    const key = limitKey(c.get('address'));
    const own = receiving.get(key) ?? 0;
    const all = [...receiving.values()].reduce((sum, count) => sum + count, 0);
    if (own >= RECEIVED_AT_ONCE_EACH || all >= RECEIVED_AT_ONCE) {
      throw tooMany('rate_limited', 'Too many large mails at once. Try again in a moment.', SECOND);
    }
    receiving.set(key, own + 1);
    try {
      return await withinTime(readBytes(c, LARGE_LIMIT));
    } finally {
      const left = (receiving.get(key) ?? 1) - 1;
      if (left > 0) receiving.set(key, left);
      else receiving.delete(key);
    }
  }

  return async (c) => {
    const announced = c.req.header('Content-Length');
    if (announced !== undefined && Number(announced) <= JSON_LIMIT)
      return { value: await readJsonValue(c, JSON_LIMIT) };
    requireMediaType(c, ['application/json']);
    const bytes = await receive(c);
    const free = await slot();
    try {
      return { value: parseJson(bytes), release: free };
    } catch (error) {
      free();
      throw error;
    }
  };
}

async function withinTime<Result>(receipt: Promise<Result>): Promise<Result> {
  let timer: Timer | undefined;
  const expiry = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () =>
        reject(
          new HttpProblem('invalid_request', 'The body took too long to arrive.', {
            headers: { Connection: 'close' },
          }),
        ),
      LONGEST_RECEIPT_MS,
    );
  });
  try {
    return await Promise.race([receipt, expiry]);
  } finally {
    clearTimeout(timer);
  }
}
