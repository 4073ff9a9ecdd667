import { beforeAll, expect, test } from 'bun:test';
import { setImmediate } from 'node:timers/promises';
import { freshBucket } from '../../../test/harness/backends.ts';
import { MB } from '../../kernel/bytes.ts';
import { SECOND } from '../../kernel/clock.ts';
import { newId } from '../../kernel/ids.ts';
import type { MemoryLimits } from './part-memory.ts';
import { openS3Blobs } from './s3.ts';
import { S3_LIMITS } from './s3-limits.ts';

/** For an S3 server that shares the cores with other tests. */
const LIMITS = { ...S3_LIMITS, answerMs: 60 * SECOND, requestMs: 61 * SECOND };
let bucket: Awaited<ReturnType<typeof freshBucket>> & { region: string };
beforeAll(async () => {
  bucket = { ...(await freshBucket()), region: 'us-east-1' };
});
const open = (limits: MemoryLimits) => openS3Blobs(bucket, LIMITS, null, limits);

test('more uploads at once than the memory holds are all stored', async () => {
  const blobs = open({ sharedBytes: 10 * MB, beyond: 1, waitMs: 3_600_000 });
  const keys = await Promise.all(
    Array.from({ length: 6 }, async () => {
      const key = newId();
      const writer = blobs.create(key);
      for (let count = 0; count < 17; count++) {
        await writer.write(Buffer.alloc(MB, count));
        // The others write, so that all of them have parts that are half full.
        await setImmediate();
      }
      await writer.commit();
      return key;
    }),
  );
  for (const key of keys) expect((await blobs.stat(key))?.size).toBe(17 * MB);
});

test('slow uploads end with 503 when others wait for their memory', async () => {
  const blobs = open({ sharedBytes: 10 * MB, beyond: 0, waitMs: 1 });
  const [slow, other] = [blobs.create(newId()), blobs.create(newId())];
  await slow.write(Buffer.alloc(7 * MB));
  for (let count = 0; count < 9; count++) await other.write(Buffer.alloc(MB));
  await other.commit();
  expect(() => slow.write(Buffer.alloc(1))).toThrow(
    expect.objectContaining({ code: 'unavailable', retryAfterMs: expect.any(Number) }),
  );
  await expect(slow.commit()).rejects.toMatchObject({ code: 'unavailable' });
  await slow.abort();
});

test('aborted uploads and sent ones hold no memory', async () => {
  const blobs = open({ sharedBytes: 10 * MB, beyond: 0, waitMs: 3_600_000 });
  for (let round = 0; round < 4; round++) {
    const [aborted, committed] = [blobs.create(newId()), blobs.create(newId())];
    await aborted.write(Buffer.alloc(6 * MB));
    await aborted.abort();
    await committed.write(Buffer.alloc(9 * MB));
    await committed.write(Buffer.alloc(MB));
    await committed.commit();
  }
});
