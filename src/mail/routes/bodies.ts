import { SECOND } from '../../kernel/clock.ts';
import { limitKey } from '../../kernel/http/address.ts';
import { JSON_LIMIT, parseJson, readBytes, readJsonValue, requireMediaType } from '../../kernel/http/body.ts';
import type { Ctx } from '../../kernel/http/context.ts';
import { Problem, tooMany } from '../../kernel/http/problem.ts';
import { limitConcurrency } from '../../kernel/limits/concurrency.ts';

export const EMAIL_LIMIT = 36 * 1_048_576;

/**
 * Reads a JSON body of up to 36 MB and hands it to `work`. Of bodies above 1 MB a limited number are read at once, fewer from
 * one address, and of those that are there only two are parsed and worked on, so that they cannot fill the memory.
 * @throws Problem 429 `rate_limited` when too many are being read, 413, 415, 400
 */
export type WithBody = <Result>(c: Ctx, work: (body: unknown) => Promise<Result>) => Promise<Result>;

const READ_AT_ONCE = 16;
const READ_AT_ONCE_EACH = 8;
const WORKED_ON_AT_ONCE = 2;
const NOTHING = new Uint8Array();
/** A sender that trickles must not keep a place for ever. */
const LONGEST_READING_MS = 60 * SECOND;

export function createBodies(): WithBody {
  const reading = new Map<string, number>();
  const inTurn = limitConcurrency(WORKED_ON_AT_ONCE);

  async function readLarge(c: Ctx): Promise<Uint8Array> {
    const key = limitKey(c.get('address'));
    const own = reading.get(key) ?? 0;
    const all = [...reading.values()].reduce((sum, count) => sum + count, 0);
    if (own >= READ_AT_ONCE_EACH || all >= READ_AT_ONCE) {
      throw tooMany('rate_limited', 'Too many large mails at once. Try again in a moment.', SECOND);
    }
    reading.set(key, own + 1);
    try {
      return await inTime(readBytes(c, EMAIL_LIMIT));
    } finally {
      const left = (reading.get(key) ?? 1) - 1;
      if (left > 0) reading.set(key, left);
      else reading.delete(key);
    }
  }

  return async (c, work) => {
    const announced = c.req.header('Content-Length');
    if (announced !== undefined && Number(announced) <= JSON_LIMIT) return await work(await readJsonValue(c, JSON_LIMIT));
    requireMediaType(c, ['application/json']);
    const read = { bytes: await readLarge(c) };
    return await inTurn(async () => {
      const body = parseJson(read.bytes);
      read.bytes = NOTHING;
      try {
        return await work(body);
      } finally {
        // Strings of this size weigh on the heap long before the collector would come by itself.
        Bun.gc(false);
      }
    });
  };
}

async function inTime<Result>(reading: Promise<Result>): Promise<Result> {
  let timer: Timer | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Problem('invalid_request', 'The body took too long to arrive.', { headers: { Connection: 'close' } })),
      LONGEST_READING_MS,
    );
  });
  try {
    return await Promise.race([reading, late]);
  } finally {
    clearTimeout(timer);
  }
}
