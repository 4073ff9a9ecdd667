import { afterAll, expect, test } from 'bun:test';
import { readdirSync, readlinkSync } from 'node:fs';
import { freshDirectory } from '../../../../test/harness/backends.ts';
import { until } from '../../../../test/harness/until.ts';
import { systemFiles } from '../../blobs/file-operations.ts';
import { openLocalBlobs } from '../../blobs/local.ts';
import { createHasher } from './hasher.ts';

const hasher = createHasher();
afterAll(() => hasher.stop());
const blobs = openLocalBlobs(freshDirectory());

function begin(store = blobs) {
  const writer = store.create(crypto.randomUUID());
  if (!writer.file) throw new Error('local blobs are files');
  return { writer, sums: hasher.behind(writer.file) };
}

test('checksums of files written concurrently are correct', async () => {
  await Promise.all(
    [0, 1, 65_536, 524_288, 5_000_001].map(async (size) => {
      const bytes = crypto.getRandomValues(Buffer.alloc(Math.min(size, 65_536)));
      const { writer, sums } = begin();
      const expected = new Bun.CryptoHasher('sha256');
      let crc32 = 0;
      for (let left = size; left > 0; ) {
        const part = bytes.subarray(0, Math.min(left, 40_001));
        left -= part.length;
        expected.update(part);
        crc32 = Bun.hash.crc32(part, crc32);
        sums.update(part);
        await writer.write(part);
      }
      const [computed] = await Promise.all([sums.finish(), writer.commit()]);
      expect(computed).toEqual({ sha256: expected.digest('base64'), crc32 });
    }),
  );
});

test('a dropped upload leaves no descriptor and affects no other', async () => {
  const given = begin();
  const kept = begin();
  const bytes = Buffer.alloc(1_500_000, 'x');
  for (const { writer, sums } of [given, kept]) {
    sums.update(bytes);
    await writer.write(bytes);
  }
  given.sums.drop();
  await given.writer.abort();
  const [computed] = await Promise.all([kept.sums.finish(), kept.writer.commit()]);
  expect(computed.sha256).toBe(new Bun.CryptoHasher('sha256').update(bytes).digest('base64'));
});

/** Returns the number of open descriptors of files in a directory, deleted ones included. */
function openIn(directory: string): number {
  const paths = readdirSync('/proc/self/fd').map((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      // The descriptor of the list itself is closed.
      return '';
    }
  });
  return paths.filter((path) => path.startsWith(directory)).length;
}

// Open files are counted by /proc, which only Linux has.
test.if(process.platform === 'linux')(
  'an upload that is dropped while its bytes are being written leaves no descriptor',
  async () => {
    const directory = freshDirectory();
    const held = { writes: 0, release: Promise.withResolvers<void>() };
    const store = openLocalBlobs(directory, {
      ...systemFiles,
      async write(...given) {
        if (held.writes++ > 0) await held.release.promise;
        return await systemFiles.write(...given);
      },
    });
    const { writer, sums } = begin(store);
    const before = openIn(directory);
    const bytes = Buffer.alloc(524_288);
    sums.update(bytes);
    const writing = writer.write(bytes);
    await until(() => held.writes === 2);
    sums.drop();
    const aborted = writer.abort();
    await until(() => openIn(directory) === before + 1);
    held.release.resolve();
    await Promise.all([writing, aborted]);
    expect(openIn(directory)).toBe(before);
  },
);
