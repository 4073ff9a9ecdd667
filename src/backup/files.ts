import { closeSync, fsyncSync, openSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

const BUFFERED = 1_048_576;
const READ_AT_ONCE = 262_144;

/**
 * Makes a file that is not there yet, mode 0600, of what `fill` writes, and syncs it to the disk.
 * Gives its size and SHA-256 (hex).
 */
export async function writeHashed(
  path: string,
  fill: (write: (bytes: Uint8Array | string) => Promise<void>) => Promise<void>,
): Promise<{ size: number; sha256: string }> {
  const file = await open(path, 'wx', 0o600);
  try {
    const hash = new Bun.CryptoHasher('sha256');
    let waiting: Uint8Array[] = [];
    let waitingBytes = 0;
    let size = 0;
    let written = Promise.resolve();
    // One after the other, so that the file is in the order of the checksum when several write.
    const flush = () => {
      const ready = waiting;
      waiting = [];
      waitingBytes = 0;
      written = written.then(() => file.appendFile(Buffer.concat(ready)));
      return written;
    };
    await fill(async (given) => {
      const bytes = typeof given === 'string' ? Buffer.from(given) : given;
      if (bytes.length === 0) return;
      hash.update(bytes);
      size += bytes.length;
      waitingBytes += bytes.length;
      waiting.push(bytes);
      if (waitingBytes >= BUFFERED) await flush();
    });
    await flush();
    await file.sync();
    return { size, sha256: hash.digest('hex') };
  } finally {
    await file.close();
  }
}

/** The bytes of a file, piece by piece; each piece has memory of its own. */
export async function* readChunks(path: string): AsyncIterable<Uint8Array> {
  let file: FileHandle | undefined;
  try {
    file = await open(path, 'r');
    for (;;) {
      const buffer = Buffer.allocUnsafe(READ_AT_ONCE);
      const { bytesRead } = await file.read(buffer, 0, READ_AT_ONCE);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file?.close();
  }
}

/** The lines of a file without their ends. A last line without an end is a line too. */
export async function* readLines(path: string): AsyncIterable<string> {
  let rest: Buffer[] = [];
  for await (const chunk of readChunks(path)) {
    let from = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      yield Buffer.concat([...rest, chunk.subarray(from, end)]).toString('utf8');
      rest = [];
      from = end + 1;
    }
    if (from < chunk.length) rest.push(Buffer.from(chunk.subarray(from)));
  }
  if (rest.length > 0) yield Buffer.concat(rest).toString('utf8');
}

export async function fileSha256(path: string): Promise<string> {
  const hash = new Bun.CryptoHasher('sha256');
  for await (const chunk of readChunks(path)) hash.update(chunk);
  return hash.digest('hex');
}

/** Makes names within a directory outlive a power cut. */
export function syncDirectory(path: string): void {
  const directory = openSync(path, 'r');
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}
