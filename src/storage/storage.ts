import type { Guard } from '../identity/guard.ts';
import { type Clock, MINUTE, SECOND } from '../kernel/clock.ts';
import { createPasswords } from '../kernel/crypto/passwords.ts';
import type { Vault } from '../kernel/crypto/vault.ts';
import type { Database } from '../kernel/database/database.ts';
import type { Signals } from '../kernel/database/signals.ts';
import { createHolds } from '../kernel/holds.ts';
import type { Attempts } from '../kernel/limits/attempts.ts';
import type { Log } from '../kernel/log.ts';
import type { Service } from '../kernel/service.ts';
import { createAccess } from './access.ts';
import type { Blobs } from './blobs/port.ts';
import { keepSmall } from './blobs/small.ts';
import { createDownloads } from './downloads.ts';
import { createExports } from './export.ts';
import type { StoredFile } from './file.ts';
import { createFiles } from './files.ts';
import { createFolders } from './folders.ts';
import { createGarbage } from './garbage.ts';
import { guessScope } from './guesses.ts';
import { createHasher } from './hashing/hasher.ts';
import { createIngest } from './ingest.ts';
import { createQuota } from './quota.ts';
import { createReceiver } from './receive.ts';
import { mountStorageAdmin } from './routes/admin.ts';
import { mountContent } from './routes/content.ts';
import { mountExport } from './routes/export.ts';
import { mountFiles } from './routes/files.ts';
import { mountFolders } from './routes/folders.ts';
import { mountPublic } from './routes/public.ts';
import { mountSharePage } from './routes/share-page.ts';
import { mountThumbnail } from './routes/thumbnail.ts';
import { mountUpload } from './routes/upload.ts';
import { mountUploads } from './routes/uploads.ts';
import { mountUsage } from './routes/usage.ts';
import { createSweeper } from './sweeper.ts';
import { hasThumbnail } from './thumbnails/formats.ts';
import { createThumbnails } from './thumbnails/thumbnails.ts';
import { createTus } from './uploads/tus.ts';
import { createUploads } from './uploads/uploads.ts';
import type { Workspaces } from './workspaces.ts';

interface StorageParts {
  database: Database;
  signals: Signals;
  vault: Vault;
  clock: Clock;
  log: Log;
  attempts: Attempts;
  guard: Guard;
  blobs: Blobs;
  workspaces: Workspaces;
  /** A name of this process that its next run will have as well. */
  owner: string;
  /** Where people reach this server, without a slash at the end. */
  publicUrl: string;
  limits: { fileBytes: number; workspaceBytes: number; trashDays: number };
}

/** Files in folders of workspaces, and the ways to them. */
export function createStorage(parts: StorageParts): Service {
  const { database, signals, vault, clock, log, attempts, guard, blobs, workspaces, owner, publicUrl, limits } = parts;
  const passwords = createPasswords();
  const holds = createHolds({ database, clock });
  const quota = createQuota({ database, clock, workspaceBytes: limits.workspaceBytes, owner });
  const folders = createFolders({ database, clock });
  const files = createFiles({ database, clock, vault, quota, trashDays: limits.trashDays, isPicture: hasThumbnail });
  const access = createAccess({ database, vault, clock, attempts, passwords });
  const downloads = createDownloads({ database, vault, clock });
  const thumbnails = createThumbnails({ database, blobs, signals, clock, log });
  const exportFolder = createExports({ database, blobs });
  const bytes = keepSmall(blobs);
  const hasher = createHasher();
  const garbage = createGarbage();
  const receiver = createReceiver({ database, ingest: createIngest({ blobs, fileBytes: limits.fileBytes, hasher, garbage }), quota });
  const stored = (file: StoredFile) => {
    if (hasThumbnail(file.mimeType)) thumbnails.wanted();
  };
  const uploads = createUploads({ database, clock, blobs, log, files, folders, quota, receiver, holds, stored });
  const tus = createTus({ database, clock, blobs, signals, uploads, garbage, node: owner, fileBytes: limits.fileBytes });
  const sweeper = createSweeper({
    database,
    blobs,
    clock,
    holds,
    trashDays: limits.trashDays,
    workspaceBytes: limits.workspaceBytes,
  });
  return {
    mount(app) {
      mountFolders(app, { database, guard, folders });
      mountStorageAdmin(app, { database, guard, workspaces });
      mountUsage(app, { database, guard, folders, workspaces });
      mountFiles(app, {
        database,
        guard,
        files,
        folders,
        workspaces,
        passwords,
        clearAttempts: (trx, fileId) => attempts.clear(trx, guessScope(fileId)),
      });
      mountUpload(app, { database, guard, files, folders, receiver, passwords, stored });
      mountUploads(app, { guard, uploads, tus });
      mountContent(app, { database, guard, files, blobs: bytes });
      mountThumbnail(app, { database, guard, files, blobs: bytes });
      mountExport(app, { database, guard, folders, exportFolder });
      mountPublic(app, { access, downloads, blobs: bytes });
      mountSharePage(app, { access, blobs: bytes, publicUrl });
    },
    probes: { blobs: blobs.probe },
    async start() {
      await quota.forgetLastRun();
      await uploads.store.forgetLocks(owner);
    },
    keepUp(upkeep) {
      upkeep.every(5 * SECOND, 'count downloads', downloads.flush);
      upkeep.every(10 * MINUTE, 'download grants', downloads.sweep);
      upkeep.every(MINUTE, 'reservations', quota.sweep);
      upkeep.every(MINUTE, 'resumable uploads', uploads.sweep);
      upkeep.every(10 * MINUTE, 'trash', sweeper.emptyTrash);
      upkeep.every(30 * MINUTE, 'blobs', async () => void (await sweeper.sweepBlobs()));
      thumbnails.start();
      // Not waited for: a stop ends it after the thumbnail under way.
      upkeep.every(5 * SECOND, 'thumbnails', async () => thumbnails.look());
    },
    async stop() {
      hasher.stop();
      await thumbnails.stop();
      await downloads.flush();
    },
  };
}
