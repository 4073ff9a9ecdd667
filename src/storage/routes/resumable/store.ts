import { DataStore, ERRORS, Upload } from '@tus/server';
import type { Database } from '../../../kernel/database/database.ts';
import type { Blobs } from '../../blobs/port.ts';
import type { Garbage } from '../../intake/garbage.ts';
import { addPart, hasParts } from '../../intake/resumable/part-rows.ts';
import { receiveParts, SMALL_PARTS } from '../../intake/resumable/parts.ts';
import { addressed, findUpload } from '../../intake/resumable/upload-rows.ts';
import type { Uploads } from '../../intake/resumable/uploads.ts';
import type { UploadChecksum } from './checksum.ts';

const EXTENSIONS = ['creation', 'creation-with-upload', 'termination', 'expiration', 'checksum'];

/** Dependencies of the stores of all requests. */
export interface TusStoreDeps {
  database: Database;
  blobs: Blobs;
  garbage: Garbage;
  uploads: Uploads;
}

interface StoreRequest {
  /** Holder of the lock of the upload. */
  writer: string;
  /** Null = the request has no checksum. */
  checksum: UploadChecksum | null;
  /** Time after which an upload without bytes expires, ms. */
  unstartedMs: number;
  /** Creates a new upload. @throws Problem */
  create(upload: Upload): Promise<Upload>;
  /** Called before the last byte is recorded. @throws Problem */
  beforeLast(): Promise<void>;
  /** Returns the upload that this request has created, or whose file it has stored; null = none. */
  known(): Upload | null;
}

/** The store of the library for one request, over the rows and the parts of uploads. */
export function createTusStore(
  { database, blobs, garbage, uploads }: TusStoreDeps,
  { writer, checksum, unstartedMs, create, beforeLast, known }: StoreRequest,
): DataStore {
  return Object.assign(new DataStore(), {
    extensions: EXTENSIONS,
    getExpiration: () => unstartedMs,
    create,

    async getUpload(id: string) {
      // A query that fails would report it as refused.
      const upload = known();
      if (upload) return upload;
      const found = await findUpload(database.read, id);
      if (!found) throw ERRORS.FILE_NOT_FOUND;
      const { sizeBytes: size, offset, expiresAt } = found;
      // The library adds `getExpiration` to it.
      const creation_date = new Date(expiresAt - unstartedMs).toISOString();
      return new Upload({ id, size, offset, creation_date });
    },

    async write(bytes: AsyncIterable<Uint8Array>, id: string, offset: number) {
      const total = (await findUpload(database.read, id))?.sizeBytes ?? 0;
      const isNew = known() !== null;
      const end = await receiveParts(bytes, {
        blobs,
        garbage,
        offset,
        total,
        hasManyParts: () => hasParts(database.read, id, SMALL_PARTS),
        checksum,
        beforeLast,
        record: (part) =>
          database.transaction(async (trx) => {
            await addPart(trx, id, writer, part);
            if (!isNew || part.start + part.size === total) await addressed(trx, id);
          }),
      });
      // While the request has the lock: without it, the upload may expire.
      if (isNew && end < total) await database.transaction((trx) => addressed(trx, id));
      return end;
    },

    remove: (id: string) => uploads.remove(id),
  });
}
