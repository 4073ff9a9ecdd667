import type { Content } from '../../kernel/content.ts';
import { Unavailable } from '../../kernel/errors/unavailable.ts';

/** Facts about the bytes of a blob that another machine delivers. */
interface Expected {
  key: string;
  size: number;
  crc32: number;
}

/**
 * Returns the content of a blob, which fails before its last chunk when the bytes differ from those stored:
 * the client receives fewer bytes than announced, not a damaged file that looks complete.
 * @throws Unavailable when the content is a single chunk
 */
export function checkedContent(content: Content, expected: Expected): Content {
  if (!(content instanceof Uint8Array)) return checkedChunks(content, expected);
  if (Bun.hash.crc32(content) !== expected.crc32) throw otherBytes(expected);
  return content;
}

async function* checkedChunks(
  chunks: AsyncIterable<Uint8Array>,
  expected: Expected,
): AsyncGenerator<Uint8Array, void, undefined> {
  let left = expected.size;
  let crc32 = 0;
  for await (const chunk of chunks) {
    crc32 = Bun.hash.crc32(chunk, crc32);
    left -= chunk.length;
    if (left <= 0 && crc32 !== expected.crc32) throw otherBytes(expected);
    yield chunk;
  }
}

const otherBytes = ({ key }: Expected) =>
  new Unavailable('blobs', `S3 sent other bytes than were stored as ${key}`);
