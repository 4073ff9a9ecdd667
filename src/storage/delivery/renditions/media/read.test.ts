import { describe, expect, test } from 'bun:test';
import { film } from '../../../../../test/harness/film.ts';
import { wav } from '../../../../../test/harness/wav.ts';
import { MB } from '../../../../kernel/bytes.ts';
import { createLog } from '../../../../kernel/log.ts';
import type { Blobs } from '../../../blobs/port.ts';
import { NO_FACTS } from '../../../tree/files/file.ts';
import { NoRendition } from '../decoder.ts';
import { createMediaReader } from './read.ts';

/** Reads facts, and the number of bytes that were read for them. */
async function read(bytes: Uint8Array<ArrayBuffer>) {
  let count = 0;
  const blobs = {
    read(_key: string, size: number, { start, end } = { start: 0, end: size }) {
      count += end - start;
      return bytes.subarray(start, end);
    },
  } as Pick<Blobs, 'read'>;
  const reader = createMediaReader(blobs, createLog('silent'));
  try {
    const facts = await reader.read({ blobKey: 'key', sizeBytes: bytes.length, owner: 'ada' });
    return { facts, count };
  } finally {
    reader.stop();
  }
}
const factsOf = async (bytes: Uint8Array<ArrayBuffer>) => (await read(bytes)).facts;

describe('the facts of audio and video', () => {
  test('are its playing time', async () => {
    expect(await factsOf(wav(2.5))).toEqual({ ...NO_FACTS, durationMs: 2_500 });
  });

  for (const format of ['mp4', 'webm'] as const)
    test(`are the size of a video, upright: ${format}`, async () => {
      expect(await factsOf(await film({ format, seconds: 3 }))).toEqual({
        ...NO_FACTS,
        width: 64,
        height: 48,
        durationMs: 3_000,
      });
    });

  test('are the size of a turned video, its time and its camera', async () => {
    const tags = {
      'com.apple.quicktime.creationdate': '2024-05-06T07:08:09+0200',
      'com.apple.quicktime.make': 'Apple',
      'com.apple.quicktime.model': 'iPhone 15',
    };
    expect(await factsOf(await film({ format: 'mov', seconds: 1, rotation: 90, tags }))).toEqual({
      width: 48,
      height: 64,
      takenAt: Date.UTC(2024, 4, 6, 7, 8, 9),
      takenOffset: 120,
      camera: 'Apple iPhone 15',
      placeholder: null,
      durationMs: 1_000,
    });
  });

  test('are read from the beginning and the end of a large file', async () => {
    const large = await film({ format: 'mp4', seconds: 4, packetBytes: 10 * MB });
    expect(large.length).toBeGreaterThan(40 * MB);
    const { facts, count } = await read(large);
    expect(facts).toMatchObject({ width: 64, height: 48, durationMs: 4_000 });
    expect(count).toBe(16 * MB);
  });

  const damaged: Record<string, () => Promise<Uint8Array<ArrayBuffer>>> = {
    'a video that is cut off': async () => (await film({ format: 'mp4', seconds: 1 })).subarray(0, 60),
    'a box of four billion bytes': async () =>
      new Uint8Array(Buffer.from('\0\0\0\x14ftypisom\0\0\0\0isom\xff\xff\xff\xffmoov', 'latin1')),
  };
  for (const [name, make] of Object.entries(damaged))
    test(`are none: ${name}`, async () => expect(await factsOf(await make())).toEqual(NO_FACTS));

  const unknown: Record<string, () => Promise<Uint8Array<ArrayBuffer>>> = {
    'an empty file': async () => new Uint8Array(),
    'a text': async () => new Uint8Array(Buffer.from('#EXTM3U\n#EXTINF:9,\nhttps://example.org/a.ts\n')),
    noise: async () => new Uint8Array(Buffer.alloc(MB, 'noise')),
  };
  for (const [name, make] of Object.entries(unknown))
    test(`are refused: ${name}`, async () => {
      const error = await factsOf(await make()).catch((thrown) => thrown);
      expect(error).toBeInstanceOf(NoRendition);
    });
});
