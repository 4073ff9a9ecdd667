/** What the thread is told. All are about the job `id`; their order is kept. */
export type Told =
  | { id: number; type: 'written'; fd: number; bytes: number }
  /** All bytes are written: tell the sums once they are read. */
  | { id: number; type: 'end'; fd: number; bytes: number }
  | { id: number; type: 'drop' };

/** What the thread answers, once for each `end` and `drop`. */
export type Answered = { id: number; sums: { sha256: string; crc32: number } | null; error: string | null };
