import type { Guard } from '../identity/guard.ts';
import type { Events } from '../kernel/events.ts';
import { createHolds } from '../kernel/leases/holds.ts';
import type { Mailer } from '../kernel/mailer.ts';
import { attemptScope } from './delivery/attempts.ts';
import { createDelivery, type DeliveryDeps } from './delivery/delivery.ts';
import { hasRenditions, isPlayed } from './delivery/renditions/formats.ts';
import { createStripPicture } from './delivery/renditions/strip.ts';
import { createIntake } from './intake/intake.ts';
import { createCopyStripped } from './intake/stripped-copies.ts';
import { createLinkModules } from './links/modules.ts';
import type { Accounts } from './teams/accounts.ts';
import type { WorkspaceCreators } from './teams/shared-workspaces.ts';
import { createTeams } from './teams/teams.ts';
import { createChanged } from './tree/changes.ts';
import type { StoredFile } from './tree/files/file.ts';
import { createRoom } from './tree/room.ts';
import { createTree } from './tree/tree.ts';
import type { WorkspaceLimits, Workspaces } from './tree/workspaces.ts';
import { createCollector } from './upkeep/collector.ts';

export interface StorageDeps extends Omit<DeliveryDeps, 'holds'> {
  events: Pick<Events, 'publish'>;
  guard: Guard;
  accounts: Accounts;
  /** Null = the server sends no e-mails. */
  mailer: Pick<Mailer, 'send'> | null;
  /** Number of processes of this server. */
  processes: number;
  workspaces: Workspaces;
  /** Id of this run of the server, and of the run before, if that has ended. */
  instance: { id: string; previousId: string | null; isAlone: boolean };
  /** Origin of this server. */
  publicUrl: string;
  /** Origins whose pages may use personal access tokens. */
  corsOrigins: readonly string[];
  /** Duration of uploads whose session or token is not checked again at their end; undefined = a second. */
  uploadRecheckMs: number | undefined;
  limits: WorkspaceLimits & { versionDays: number; fileBytes: number; workspaceCreators: WorkspaceCreators };
}

export type StorageModules = ReturnType<typeof createStorageModules>;

export function createStorageModules(deps: StorageDeps) {
  const { database, clock, log, attempts, blobs, limits } = deps;
  const { workspaceBytes, trashDays, versionDays, fileBytes } = limits;
  const changed = createChanged(database, deps.events);
  const holds = createHolds({ database, clock });
  const tree = createTree({
    ...deps,
    changed,
    hasRenditions,
    owner: deps.instance.id,
    erasing: () => collector.expect(),
    secretsChanged: (trx, fileId) => attempts.clearAll(trx, attemptScope('file', fileId)),
  });
  const { files, folders, trashSpace } = tree;
  const collector = createCollector({ database, blobs, holds, trashSpace, trashDays, versionDays, changed });
  const delivery = createDelivery({ ...deps, holds });
  const { exports, gate, renditions, traffic } = delivery;
  const links = createLinkModules({ ...deps, gate, exports, files, folders, changed, workspaceBytes });
  const stored = (file: StoredFile) => {
    traffic.uploaded(file.sizeBytes);
    if (hasRenditions(file.mimeType) || isPlayed(file.mimeType)) renditions.notify();
  };
  const intake = createIntake({
    ...deps,
    holds,
    tree,
    fileBytes,
    stored,
    requireRoom: createRoom({ database, collect: collector.collect, workspaceBytes }),
    links: links.linkUploads,
  });
  const { receiver } = intake;
  const strip = createStripPicture(blobs, log);
  return {
    teams: createTeams({ ...deps, changed }),
    holds,
    tree,
    collector,
    delivery,
    links,
    intake,
    stored,
    copyStripped: createCopyStripped({ strip, files, receiver, stored }),
  };
}
