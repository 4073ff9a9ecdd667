import { describe, expect, test } from 'bun:test';
import { createGarbage, type UploadGarbage } from './garbage.ts';

const KB = 1_024;
const CHUNK = 64 * KB;

/** Returns the number of collections while so many concurrent uploads of this size are received. */
function collections(uploads: number, size: number, use?: (upload: UploadGarbage) => void): number {
  let count = 0;
  const garbage = createGarbage(() => count++);
  const running = Array.from({ length: uploads }, () => garbage.begin());
  for (const upload of running) use?.(upload);
  for (let sent = 0; sent < size; sent += CHUNK) for (const upload of running) upload.note(CHUNK);
  return count;
}

describe('garbage of uploads', () => {
  test('is collected while many large uploads are received', () => {
    expect(collections(8, 10_240 * KB)).toBe(2);
  });

  test('is not collected for few uploads, or small ones', () => {
    expect(collections(7, 102_400 * KB)).toBe(0);
    expect(collections(1_000, 512 * KB)).toBe(0);
  });

  test('is not collected for uploads that have ended', () => {
    expect(collections(8, 10_240 * KB, (upload) => upload.end())).toBe(0);
    let count = 0;
    const garbage = createGarbage(() => count++);
    for (let each = 0; each < 100; each++) {
      const upload = garbage.begin();
      upload.note(2_048 * KB);
      upload.end();
      upload.end();
    }
    expect(count).toBe(0);
  });
});
