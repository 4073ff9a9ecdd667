import { SECOND } from '../../kernel/clock.ts';
import { JSON_LIMIT, readJsonValue } from '../../kernel/http/body.ts';
import type { Ctx } from '../../kernel/http/context.ts';
import { Problem } from '../../kernel/http/problem.ts';

export const EMAIL_LIMIT = 36 * 1_048_576;

/**
 * Reads a JSON body of up to 36 MB and hands it to `work`. Of bodies above 1 MB only a few are held at once, from their first
 * byte until `work` is done, so that they cannot fill the memory.
 */
export type WithBody = <Result>(c: Ctx, work: (body: unknown) => Promise<Result>) => Promise<Result>;

const LARGE_AT_ONCE = 4;
/** A sender that trickles must not keep a place for ever. */
const LONGEST_READING_MS = 60 * SECOND;

export function createBodies(): WithBody {
  const waiting: (() => void)[] = [];
  let held = 0;
  return async (c, work) => {
    const declared = c.req.header('Content-Length');
    if (declared !== undefined && Number(declared) <= JSON_LIMIT) return await work(await readJsonValue(c, JSON_LIMIT));
    if (held >= LARGE_AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
    else held++;
    try {
      return await work(await inTime(readJsonValue(c, EMAIL_LIMIT)));
    } finally {
      const next = waiting.shift();
      if (next) next();
      else held--;
    }
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
