/** Reusable buffers: a garbage collector is slowest for buffers that live long and are many. */
export interface Buffers {
  readonly size: number;
  take(): Buffer<ArrayBuffer>;
  /** Returns a buffer to the pool; it must not be used any more. */
  release(buffer: Buffer<ArrayBuffer>): void;
}

/** @param kept maximum number of unused buffers */
export function createBuffers(size: number, kept: number): Buffers {
  const unused: Buffer<ArrayBuffer>[] = [];
  return {
    size,
    take: () => unused.pop() ?? Buffer.from(new ArrayBuffer(size)),
    release(buffer) {
      if (unused.length < kept) unused.push(buffer);
    },
  };
}
