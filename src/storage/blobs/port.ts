import type { ByteRange, Content } from '../../kernel/content.ts';

/** A blob being written, invisible under its key until `commit` is done. */
export interface BlobWriter {
  /**
   * Takes the next bytes. Wait for the returned promise, if any, before passing more bytes or changing these; this
   * bounds the memory. A failure may surface at any later call.
   */
  write(bytes: Uint8Array): Promise<void> | undefined;
  /** Makes the blob durable and visible. */
  commit(): Promise<void>;
  /** Deletes everything. Does nothing after a commit or another abort. */
  abort(): Promise<void>;
  /** The file of the bytes, if there is one, for reading them while it grows. */
  readonly file?: GrowingFile;
}

export interface GrowingFile {
  /** Returns a new descriptor, which the caller closes. Call after the first bytes are written. */
  open(): number;
  /** @param listener called with the number of bytes written; the last time before they are synced */
  onWritten(listener: (bytes: number) => void): void;
}

export interface BlobFacts {
  size: number;
  /** Milliseconds. */
  dateModified: number;
}

export interface BlobRange extends ByteRange {
  /** True = the content is a sequence of chunks, each valid until the next is requested, so that memory is reused. */
  isTransient?: boolean;
}

/**
 * A store of immutable byte strings. Keys are results of `newId()`. Both implementations pass `contract.test.ts`.
 */
export interface Blobs {
  create(key: string): BlobWriter;
  /**
   * Returns the bytes of a blob, or a range of them, which may fail after the first chunk when the blob is
   * deleted.
   * @param size the required size of the whole blob
   * @param crc32 of the whole blob: when it is read without a range, and another machine sends other bytes, the
   * read fails with Unavailable, at the latest before the last chunk
   * @throws BlobMissing when there is no blob of that size; for a transient range, reading the first chunk
   * may throw it instead
   */
  read(key: string, size: number, range?: BlobRange, crc32?: number): Content | Promise<Content>;
  /**
   * Returns a URL at which clients can download the blob, or ranges of it, for `LINK_SECONDS`. Undefined = the store
   * has no such URLs.
   * @param headers of the response: `Content-Type`, `Content-Disposition` and `Cache-Control`; others are not used
   */
  readonly link?: (key: string, headers: Readonly<Record<string, string>>) => Promise<URL>;
  /** Returns null when there is no such blob. */
  stat(key: string): Promise<BlobFacts | null>;
  /** Does nothing when there is no such blob. */
  delete(key: string): Promise<void>;
  /** Returns every committed blob, in no order. */
  list(): AsyncIterable<BlobFacts & { key: string }>;
  /**
   * Deletes the unfinished blobs of dead processes, unmodified since `before` (ms since the epoch); returns their
   * number.
   */
  sweepUnfinished(before: number): Promise<number>;
  /** Returns the free bytes of the store, at most a second old; infinity where that is unknown. */
  freeBytes(): number;
  /**
   * Checks that the store works; a local one by writing a few bytes durably. @throws Error when the store does not
   * work
   */
  probe(): Promise<void>;
}

/** A row references a blob that is not in the store: something outside the program removed it. */
export class BlobMissing extends Error {
  override readonly name = 'BlobMissing';
  constructor(key: string) {
    super(`blob ${key} is missing or has another size than its row says`);
  }
}
