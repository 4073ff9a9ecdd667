import { afterAll, expect, test } from 'bun:test';
import { freshDirectory } from '../../../../test/harness/backends.ts';
import { openLocalBlobs } from '../../blobs/local.ts';
import { createHasher } from './hasher.ts';

const hasher = createHasher();
afterAll(() => hasher.stop());
const blobs = openLocalBlobs(freshDirectory());

function begin() {
  const writer = blobs.create(crypto.randomUUID());
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
