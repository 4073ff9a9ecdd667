/** Buffers that are used again and again: what lives long and dies often is what a garbage collector is slowest to find. */
export interface Buffers {
  readonly size: number;
  take(): Buffer<ArrayBuffer>;
  /** Gives one back. Nobody may use it any more. */
  give(buffer: Buffer<ArrayBuffer>): void;
}

/** @param kept how many may lie unused */
export function createBuffers(size: number, kept: number): Buffers {
  const unused: Buffer<ArrayBuffer>[] = [];
  return {
    size,
    take: () => unused.pop() ?? Buffer.from(new ArrayBuffer(size)),
    give(buffer) {
      if (unused.length < kept) unused.push(buffer);
    },
  };
}
