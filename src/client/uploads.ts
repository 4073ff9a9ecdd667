import { createResumableUpload } from './resumable-upload.ts';
import type { Fetch } from './retry.ts';
import type { ResumableOptions, UploadOptions, UploadRecord } from './upload-options.ts';
import { createWholeUpload, type WholeUploadDeps } from './whole-upload.ts';

export interface Uploads {
  /** Uploads in one request. @throws PosthouseError; the reason of `signal` */
  whole(file: Blob, options?: UploadOptions): Promise<UploadRecord>;
  /**
   * Uploads in chunks and resumes after a lost connection (tus 1.0.0). Returns the ID of the file. @throws like
   * `whole`
   */
  resumable(file: Blob, options?: ResumableOptions): Promise<{ fileId: string }>;
  /** Uploads small files whole and large ones resumably. @throws like `whole` */
  upload(file: Blob, options?: ResumableOptions): Promise<{ fileId: string }>;
  /** Returns the maximum size of a file in bytes; null = no limit is known. @throws PosthouseError */
  maxBytes(): Promise<number | null>;
  /** Deletes an unfinished upload. @throws PosthouseError */
  cancel(address: string): Promise<void>;
}

interface UploadsDeps extends WholeUploadDeps {
  fetch: Fetch;
}

const ENDPOINT = '/api/storage/uploads';
const TUS = { 'Tus-Resumable': '1.0.0' };
/** Minimum bytes of a resumable upload: repeating a smaller one takes no longer than resuming it. */
const RESUMABLE_FROM = 4_000_000;

export function createUploads({ baseUrl, headers, timeoutMs, fetch, send }: UploadsDeps): Uploads {
  const whole = createWholeUpload({ baseUrl, headers, timeoutMs, send });
  const resumable = createResumableUpload({ endpoint: `${baseUrl}${ENDPOINT}`, headers, timeoutMs, fetch });
  return {
    whole,
    resumable,
    async upload(file, options) {
      if (file.size >= RESUMABLE_FROM || options?.address) return await resumable(file, options);
      return { fileId: (await whole(file, options)).Id };
    },
    async maxBytes() {
      const { headers } = await send(ENDPOINT, { method: 'OPTIONS' });
      const size = headers.get('Tus-Max-Size');
      return size === null ? null : Number(size);
    },
    async cancel(address) {
      await send(address, { method: 'DELETE', headers: TUS });
    },
  };
}
