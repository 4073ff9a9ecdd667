import { fileChanged } from './error.ts';
import type { components } from './schema.d.ts';

/** The response to a multipart upload. */
export type UploadRecord = components['schemas']['UploadRecord'];

export interface UploadOptions {
  /** Name of a new file; default: the name of a `File`. A replaced file keeps its own. */
  name?: string;
  /** The folder of a new file; default: the root of the caller's workspace. */
  folderId?: string;
  /** Replaces the bytes of this file instead of creating one. */
  replaceFileId?: string;
  /**
   * When a file of the folder has the name: keeps both (`keep`, the default), adds a number (`rename`), replaces the
   * bytes of that file (`replace`), or fails with `name_taken` (`fail`).
   */
  onConflict?: 'keep' | 'rename' | 'replace' | 'fail';
  /** 0 = private (default), 1 = public. */
  visibility?: 0 | 1;
  /** Called with the number of bytes sent so far. */
  onProgress?(sentBytes: number): void;
  signal?: AbortSignal;
}

export interface ResumableOptions extends UploadOptions {
  /** Address of an unfinished upload to resume. */
  address?: string | null;
  /** Called once the server has created the upload; keep the address to resume it later. */
  onAddress?(address: string): void;
  /** Pauses before the retries after a lost connection, in milliseconds; [] = no retries. */
  retryDelays?: readonly number[];
}

export const nameOf = (file: Blob, { name }: UploadOptions) => name ?? (file as Partial<File>).name ?? 'file';

/** Checks that a file on disk was not moved or changed since it was opened. @throws PosthouseError `file_changed` */
export async function requireReadable(file: Blob): Promise<void> {
  await file
    .slice(0, 1)
    .arrayBuffer()
    .catch(() => {
      throw fileChanged('The file can no longer be read. It may have been moved or changed.');
    });
}
