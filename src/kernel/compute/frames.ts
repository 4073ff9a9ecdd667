/** A job or its result: a JSON value, and byte strings, which are not encoded in JSON. */
export interface Payload<Value = unknown> {
  value: Value;
  blobs?: readonly Uint8Array[];
}

/** A byte string that is read while it is written. */
export interface SizedStream {
  size: number;
  chunks: AsyncIterable<Uint8Array>;
}

/** A frame is larger than the reader allows. */
export class FrameTooLarge extends Error {
  override readonly name = 'FrameTooLarge';
}

const WORD = 4;

/**
 * Returns a frame in pieces: the length of the rest, the number of parts and the length of each (unsigned, 32 bits,
 * little-endian), then the parts: the JSON value and the blobs.
 */
export function frameOf({ value, blobs = [] }: Payload): Uint8Array[] {
  const parts = [jsonOf(value), ...blobs];
  return [headOf(parts.map((part) => part.byteLength)), ...parts];
}

/**
 * Returns a frame of a value and one blob in pieces.
 * @throws Error when the blob has another size; errors of its chunks
 */
export async function* frameOfStream(
  value: unknown,
  { size, chunks }: SizedStream,
): AsyncGenerator<Uint8Array> {
  const json = jsonOf(value);
  yield headOf([json.byteLength, size]);
  yield json;
  let left = size;
  for await (const chunk of chunks) {
    left -= chunk.byteLength;
    if (left < 0) break;
    yield chunk;
  }
  if (left !== 0) throw new Error(`the stream is not ${size} bytes long`);
}

const jsonOf = (value: unknown) => Buffer.from(JSON.stringify(value) ?? 'null');

/** @param sizes of the parts */
function headOf(sizes: readonly number[]): Buffer {
  const head = Buffer.alloc(WORD * (2 + sizes.length));
  const size = sizes.reduce((sum, each) => sum + each, head.length - WORD);
  for (const [index, word] of [size, sizes.length, ...sizes].entries())
    head.writeUInt32LE(word, index * WORD);
  return head;
}

/** Returns a function that takes a stream's chunks and returns the frames that each one completes. */
export function createFrameReader(largest: number): (chunk: Uint8Array) => Payload[] {
  let frame = Buffer.alloc(WORD);
  let isHead = true;
  let filled = 0;

  /** Begins the next part of the stream: the length of a frame, or a frame of this length. */
  function begin(bytes: number, head: boolean): void {
    frame = Buffer.allocUnsafeSlow(bytes);
    isHead = head;
    filled = 0;
  }

  return (chunk) => {
    const complete: Payload[] = [];
    for (let at = 0; at < chunk.length; ) {
      const taken = chunk.subarray(at, at + frame.length - filled);
      frame.set(taken, filled);
      filled += taken.length;
      at += taken.length;
      if (filled < frame.length) continue;
      if (isHead) {
        const size = frame.readUInt32LE(0);
        if (size > largest) throw new FrameTooLarge(`a frame of ${size} bytes`);
        begin(size, false);
      } else {
        complete.push(payloadOf(frame));
        begin(WORD, true);
      }
    }
    return complete;
  };
}

/** The blobs share the memory of the frame. */
function payloadOf(frame: Buffer): Payload {
  const count = frame.readUInt32LE(0);
  let at = WORD * (1 + count);
  const parts = Array.from({ length: count }, (_, index) => {
    const from = at;
    at += frame.readUInt32LE(WORD * (1 + index));
    return frame.subarray(from, at);
  });
  const [json, ...blobs] = parts;
  return { value: JSON.parse(json?.toString() ?? 'null') as unknown, blobs };
}
