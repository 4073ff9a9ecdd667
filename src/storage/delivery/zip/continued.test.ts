import { expect, test } from 'bun:test';
import { Unavailable } from '../../../kernel/errors/unavailable.ts';
import { continued } from './continued.ts';

const BYTES = Uint8Array.from({ length: 100 }, (_, index) => index);
const exhausted = () => Object.assign(new Error('too many open files'), { code: 'EMFILE' });

/** Reads `BYTES` in chunks of 10; `failures` has the errors at a position, one for each attempt. */
async function readAll(failures: Record<number, Error[]>, { start = 0, attemptMs = 0 } = {}) {
  let time = 0;
  const pauses: number[] = [];
  async function* readFrom(position: number) {
    for (let at = position; at < BYTES.length; at += 10) {
      const error = failures[at]?.shift();
      if (error) {
        time += attemptMs;
        throw error;
      }
      yield BYTES.subarray(at, at + 10);
    }
  }
  const sleep = async (ms: number) => {
    pauses.push(ms);
    time += ms;
  };
  const received: number[] = [];
  const failed = await (async () => {
    for await (const chunk of continued(readFrom, start, { now: () => time, sleep })) received.push(...chunk);
    return null;
  })().catch((error) => error);
  return { received, failed, pauses };
}

test('the bytes are complete after transient failures', async () => {
  const failures = {
    40: [exhausted(), exhausted()],
    90: [new Unavailable('blobs', 'S3: no answer')],
  };
  const { received, failed, pauses } = await readAll(failures, { start: 20 });
  expect([failed, received]).toEqual([null, [...BYTES.subarray(20)]]);
  expect(pauses).toHaveLength(3);
});

test('a failure before the first bytes, and any other error, is not retried', async () => {
  for (const [at, error] of [
    [0, exhausted()],
    [50, new Error('a ZIP member has fewer bytes than recorded')],
  ] as const) {
    const { received, failed, pauses } = await readAll({ [at]: [error] });
    expect([received.length, pauses.length]).toEqual([at, 0]);
    expect(failed).toBe(error);
  }
});

test('a failure that lasts is final after five seconds without bytes', async () => {
  const errors = Array.from({ length: 1_000 }, exhausted);
  const { failed, pauses } = await readAll({ 10: [exhausted()], 30: errors });
  expect(failed).toMatchObject({ code: 'EMFILE' });
  expect(pauses.reduce((sum, ms) => sum + ms)).toBe(5_500);
  const slow = await readAll({ 30: [exhausted()] }, { attemptMs: 8_500 });
  expect([slow.received.length, slow.pauses.length]).toEqual([30, 0]);
});
