import { MB } from '../../kernel/bytes.ts';

/**
 * Every chunk of a body is a new buffer, and the collector lets about as many bytes of garbage accumulate as
 * there are live ones. 32 concurrent uploads of 60 MB took 450 MB of memory without these collections and 227
 * MB with them. Few uploads, or small ones, leave little garbage, and a collection blocks all requests for 60
 * ms or more.
 */
const MANY_UPLOADS = 8;
const LARGE_BYTES = MB;
const COLLECT_EVERY = 32 * MB;

/** Bounds the memory of dead chunks of uploads. */
export interface Garbage {
  /** Counts an upload as running until its `end` is called. */
  begin(): UploadGarbage;
}

export interface UploadGarbage {
  /** Counts bytes received. */
  note(bytes: number): void;
  /** More calls have no effect. */
  end(): void;
}

/** @param collect collects garbage before it returns */
export function createGarbage(collect: () => void = () => Bun.gc(true)): Garbage {
  let largeUploads = 0;
  let uncollected = 0;
  return {
    begin() {
      let received = 0;
      let isUnderWay = true;
      const isLarge = () => received >= LARGE_BYTES;
      return {
        note(bytes) {
          const wasLarge = isLarge();
          received += bytes;
          if (!isLarge()) return;
          if (!wasLarge && isUnderWay) largeUploads++;
          uncollected += bytes;
          if (uncollected < COLLECT_EVERY) return;
          uncollected = 0;
          if (largeUploads >= MANY_UPLOADS) collect();
        },
        end() {
          if (isUnderWay && isLarge()) largeUploads--;
          isUnderWay = false;
        },
      };
    },
  };
}
