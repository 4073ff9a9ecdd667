import type { ByteRange } from '../../kernel/http/ranges.ts';

/** What a `Response` can send: a file that goes through sendfile, or a stream that goes no faster than its reader. */
export type BlobBody = Blob | ReadableStream<Uint8Array>;

/** A blob that comes to be. Nothing of it is seen under its key before `commit` is done. */
export interface BlobWriter {
  /**
   * Takes the next bytes. Wait for the promise, where there is one, before giving more or changing them: that is how memory
   * stays bounded. A failure may show at any later call.
   */
  write(bytes: Uint8Array): Promise<void> | undefined;
  /** Makes the blob durable and visible. */
  commit(): Promise<void>;
  /** Gives up and leaves nothing. Does nothing after a commit or another abort. */
  abort(): Promise<void>;
  /** The file that the bytes go to, where there is one, for who wants to read them again while it grows. */
  readonly file?: GrowingFile;
}

export interface GrowingFile {
  /** A descriptor of its own, to be closed by who asked for it. Call once bytes are written. */
  open(): number;
  /** @param tell called with how many bytes have been written; the last time before they are synced */
  onWritten(tell: (bytes: number) => void): void;
}

export interface BlobFacts {
  size: number;
  /** Milliseconds. */
  dateModified: number;
}

/**
 * A store of byte strings that never change. Keys are made by `newId()`. Both implementations pass `contract.test.ts`.
 */
export interface Blobs {
  create(key: string): BlobWriter;
  /**
   * The bytes of a blob, or a part of them. @param size what the blob must have in all
   * @throws BlobMissing when there is no blob of that size
   */
  read(key: string, size: number, range?: ByteRange): BlobBody | Promise<BlobBody>;
  /** Null when there is none. */
  stat(key: string): Promise<BlobFacts | null>;
  /** Does nothing when there is none. */
  delete(key: string): Promise<void>;
  /** Every committed blob, in no order. */
  list(): AsyncIterable<BlobFacts & { key: string }>;
  /** Removes what writers of a dead process left half done and nobody touched since `before` (milliseconds). Gives how many. */
  sweepUnfinished(before: number): Promise<number>;
  /** Throws when the store does not work. */
  probe(): Promise<void>;
}

/** A row names a blob that the store does not have: something outside the program removed it. */
export class BlobMissing extends Error {
  override readonly name = 'BlobMissing';
  constructor(key: string) {
    super(`blob ${key} is missing or has another size than its row says`);
  }
}
