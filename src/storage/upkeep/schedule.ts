import { HOUR, MINUTE, SECOND } from '../../kernel/clock.ts';
import type { Upkeep } from '../../kernel/upkeep/upkeep.ts';
import { createLinkNotices } from '../links/notices.ts';
import type { StorageDeps, StorageModules } from '../modules.ts';
import { createIndexer } from '../search/indexer.ts';
import { createSweepBlobs } from './sweeper.ts';
import { createWorkspaceEraser } from './workspace-eraser.ts';

/** Registers the periodic tasks of storage. */
export function scheduleStorage(upkeep: Upkeep, deps: StorageDeps, modules: StorageModules): void {
  const { database, clock, log, limits, instance, blobs, accounts, mailer, publicUrl } = deps;
  const { holds, tree, collector, teams, links, delivery, intake } = modules;
  const { folders, quota, trash } = tree;
  const { downloads, renditions } = delivery;
  const sweepBlobs = createSweepBlobs({ database, blobs, clock, holds });
  upkeep.everywhere(5 * SECOND, 'count downloads', downloads.flush);
  upkeep.everywhere(5 * SECOND, 'count downloads by links', links.downloads.flush);
  upkeep.every(10 * MINUTE, 'download grants', downloads.sweep);
  upkeep.every(10 * MINUTE, 'download grants of links', links.downloads.sweep);
  upkeep.every(MINUTE, 'reservations', quota.sweep);
  upkeep.every(MINUTE, 'resumable uploads', intake.uploads.sweep);
  // A node without mail leaves them to others.
  if (mailer)
    upkeep.every(
      MINUTE,
      'notices of links',
      createLinkNotices({ database, log, accounts, mailer, publicUrl }),
    );
  upkeep.every(MINUTE, 'deleted folders', trash.completeLeftovers);
  upkeep.every(MINUTE, 'moved folders', folders.completeMoves);
  upkeep.every(10 * MINUTE, 'trash', collector.expire);
  upkeep.every(30 * SECOND, 'search', createIndexer(database).catchUp);
  upkeep.every(
    10 * MINUTE,
    'deleted workspaces',
    createWorkspaceEraser({ database, trash, trashDays: limits.trashDays }),
  );
  upkeep.every(HOUR, 'managers', async () => {
    for (const { id, name } of await teams.administration.unmanaged())
      log.warn({ workspaceId: id, name }, 'no manager of a shared workspace can sign in');
  });
  upkeep.everywhere(SECOND, 'erased files', collector.poll);
  upkeep.every(30 * MINUTE, 'blobs', async () => void (await sweepBlobs()));
  renditions.start({ takesOver: instance.isAlone });
  // Not awaited: `stop` ends it after the pictures in progress.
  upkeep.everywhere(15 * SECOND, 'renditions', async () => renditions.poll());
}
