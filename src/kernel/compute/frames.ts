/** A job or its result: a JSON value, and byte strings that are not worth a detour through JSON. */
export interface Payload<Value = unknown> {
  value: Value;
  blobs?: readonly Uint8Array[];
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
  const parts = [Buffer.from(JSON.stringify(value) ?? 'null'), ...blobs];
  const head = Buffer.alloc(WORD * (2 + parts.length));
  const size = parts.reduce((sum, part) => sum + part.byteLength, head.length - WORD);
  const words = [size, parts.length, ...parts.map((part) => part.byteLength)];
  for (const [index, word] of words.entries()) head.writeUInt32LE(word, index * WORD);
  return [head, ...parts];
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
