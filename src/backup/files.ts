import { closeSync, fsyncSync, openSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { MB } from '../kernel/bytes.ts';

const BUFFERED = MB;
const READ_AT_ONCE = 262_144;

/**
 * Creates a new file, mode 0600, with the bytes that `fill` writes, and fsyncs it. `write` copies the bytes, which may
 * change when its promise has resolved. Returns the size and SHA-256 (hex).
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
    // Sequential, so that concurrent writers cannot make the file differ from its checksum.
    const flush = () => {
      const ready = waiting;
      waiting = [];
      waitingBytes = 0;
      written = written.then(() => file.appendFile(Buffer.concat(ready)));
      return written;
    };
    await fill(async (given) => {
      const bytes = typeof given === 'string' ? Buffer.from(given) : new Uint8Array(given);
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

/** Reads the bytes of a file in chunks; each chunk is a new buffer. */
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

/** Reads the lines of a file, without line ends. The last line needs no line end. */
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

/** Makes the entries of a directory durable (fsync). */
export function syncDirectory(path: string): void {
  const directory = openSync(path, 'r');
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}
