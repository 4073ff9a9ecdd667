import { beforeEach, describe, expect, test } from 'bun:test';
import { freshDirectory } from '../../../../test/harness/backends.ts';
import { MB } from '../../../kernel/bytes.ts';
import { openLocalBlobs } from '../../blobs/local.ts';
import type { Blobs } from '../../blobs/port.ts';
import { readChecksum } from '../../routes/resumable/checksum.ts';
import { createGarbage } from '../garbage.ts';
import { LockLost, type UploadPart } from './part-rows.ts';
import { receiveParts } from './parts.ts';

describe('receiveParts', () => {
  let blobs: Blobs;
  let recorded: UploadPart[];
  beforeEach(() => {
    blobs = openLocalBlobs(freshDirectory());
    recorded = [];
  });

  const receive = (
    chunks: AsyncIterable<Uint8Array>,
    options: Partial<Parameters<typeof receiveParts>[1]> = {},
  ) =>
    receiveParts(chunks, {
      blobs,
      garbage: createGarbage(),
      offset: 0,
      // Of a large upload with few parts.
      total: 100 * MB,
      hasManyParts: async () => false,
      beforeLast: async () => {},
      checksum: null,
      record: async (part) => void recorded.push(part),
      ...options,
    });
  const kept = async () =>
    (await Array.fromAsync(blobs.list())).map(({ key, size }) => ({ blobKey: key, size }));
  const places = () => recorded.map(({ start, size }) => [start, size]);
  const checksumOf = (text: string) =>
    readChecksum(`sha256 ${new Bun.CryptoHasher('sha256').update(text).digest('base64')}`);
  async function* stream(chunks: readonly Uint8Array[], error?: Error) {
    yield* chunks;
    if (error) throw error;
  }
  const text = (...words: string[]) => words.map((word) => Buffer.from(word));

  test('closes parts at their maximum size, and returns the next offset', async () => {
    const chunks = Array.from({ length: 20 }, () => new Uint8Array(MB));
    expect(await receive(stream(chunks), { offset: 7 })).toBe(7 + 20 * MB);
    expect(places()).toEqual([
      [7, 16 * MB],
      [7 + 16 * MB, 4 * MB],
    ]);
  });

  test('keeps received bytes when the stream fails, unless they have a checksum', async () => {
    const broken = new Error('gone');
    await expect(receive(stream(text('ab', 'c'), broken))).rejects.toBe(broken);
    expect(places()).toEqual([[0, 3]]);
    const checksum = checksumOf('abcd');
    await expect(receive(stream(text('ab', 'c'), broken), { offset: 3, checksum })).rejects.toBe(broken);
    expect(await kept()).toEqual(recorded.map(({ blobKey, size }) => ({ blobKey, size })));
  });

  test('bytes with a checksum are one part, stored after verification', async () => {
    const large = 'x'.repeat(17 * MB);
    await receive(stream(text(large)), { checksum: checksumOf(large) });
    expect(places()).toEqual([[0, 17 * MB]]);
    const wrong = receive(stream(text('abd')), { offset: 17 * MB, checksum: checksumOf('abc') });
    await expect(wrong).rejects.toMatchObject({ code: 'checksum_mismatch' });
    expect(await kept()).toHaveLength(1);
  });

  test('a part overtaken by another request is deleted; one that may have been recorded is kept', async () => {
    const lost = new LockLost('overtaken');
    const refusing = (error: Error) => receive(stream(text('abc')), { record: () => Promise.reject(error) });
    await expect(refusing(lost)).rejects.toBe(lost);
    expect(await kept()).toEqual([]);
    await expect(refusing(new Error('the connection to the database broke'))).rejects.toThrow('broke');
    expect(await kept()).toHaveLength(1);
  });

  test('the last part of an upload is not kept when its sender may no longer upload', async () => {
    const refused = new Error('the session has ended');
    const send = (total: number) =>
      receive(stream(text('abc')), { total, beforeLast: () => Promise.reject(refused) });
    await expect(send(3)).rejects.toBe(refused);
    expect([places(), await kept()]).toEqual([[], []]);
    expect(await send(4)).toBe(3);
  });

  test('once there are many parts, few bytes are kept only at the end of the upload', async () => {
    const send = (length: number, checksum = false) => {
      const bytes = 'x'.repeat(length);
      return receive(stream(text(bytes)), {
        total: 70_000,
        hasManyParts: async () => true,
        checksum: checksum ? checksumOf(bytes) : null,
      });
    };
    for (const checksum of [false, true]) {
      await expect(send(65_535, checksum)).rejects.toMatchObject({ code: 'invalid_request' });
      expect(await kept()).toEqual([]);
    }
    expect([await send(65_536), await send(70_000)]).toEqual([65_536, 70_000]);
    expect(await kept()).toHaveLength(2);
  });
});
