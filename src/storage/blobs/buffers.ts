/** Reusable buffers: garbage collection of many long-lived buffers is slow. */
export interface Buffers {
  readonly size: number;
  take(): Buffer<ArrayBuffer>;
  /** Returns a buffer; null = `kept` of them are in use. */
  takeSpare(): Buffer<ArrayBuffer> | null;
  /** Returns a buffer to the pool; it must not be used afterwards. */
  release(buffer: Buffer<ArrayBuffer>): void;
  /** Counts a buffer as no longer in use without returning it: a failed read may still write to it. */
  discard(): void;
}

/** @param kept maximum number of unused buffers */
export function createBuffers(size: number, kept: number): Buffers {
  const unused: Buffer<ArrayBuffer>[] = [];
  let inUse = 0;

  function take(): Buffer<ArrayBuffer> {
    inUse++;
    return unused.pop() ?? Buffer.from(new ArrayBuffer(size));
  }

  return {
    size,
    take,
    takeSpare: () => (inUse < kept ? take() : null),
    release(buffer) {
      inUse--;
      if (unused.length < kept) unused.push(buffer);
    },
    discard: () => void inUse--,
  };
}
