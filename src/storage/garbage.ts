/**
 * Every chunk of a body is a new buffer, and the collector lets as many dead ones lie as there is living memory. One upload
 * at a time leaves few; of many at once they come to hundreds of megabytes, which costs more than to collect them now.
 */
const MANY_UPLOADS = 8;
const COLLECT_EVERY = 33_554_432;

/** Keeps what uploads leave in memory low. */
export interface Garbage {
  /** An upload begins. Call what it gives when the upload ends, once or more often. */
  begin(): () => void;
  /** So many bytes have gone by. */
  note(bytes: number): void;
}

export function createGarbage(): Garbage {
  let uploads = 0;
  let uncollected = 0;
  return {
    begin() {
      let isUnderWay = true;
      uploads++;
      return () => {
        if (isUnderWay) uploads--;
        isUnderWay = false;
      };
    },
    note(bytes) {
      uncollected += bytes;
      if (uncollected < COLLECT_EVERY) return;
      uncollected = 0;
      if (uploads >= MANY_UPLOADS) Bun.gc(true);
    },
  };
}
