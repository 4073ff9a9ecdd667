import type { Guard } from '../identity/guard.ts';
import { type Clock, HOUR, MINUTE, SECOND } from '../kernel/clock.ts';
import type { Passwords } from '../kernel/crypto/passwords.ts';
import type { Vault } from '../kernel/crypto/vault.ts';
import type { Database } from '../kernel/database/database.ts';
import type { Signals } from '../kernel/database/signals.ts';
import type { Events } from '../kernel/events.ts';
import { createHolds } from '../kernel/holds.ts';
import { allowBearer } from '../kernel/http/cors.ts';
import type { Attempts } from '../kernel/limits/attempts.ts';
import type { Log } from '../kernel/log.ts';
import type { Metrics } from '../kernel/metrics.ts';
import type { Service } from '../kernel/service.ts';
import type { Blobs } from './blobs/port.ts';
import { keepSmall } from './blobs/small.ts';
import { createAccess } from './delivery/access.ts';
import { attemptScope } from './delivery/attempts.ts';
import { createDownloads } from './delivery/downloads.ts';
import { createExports } from './delivery/export.ts';
import { createHoldForExport } from './delivery/export-holds.ts';
import { createGate } from './delivery/gate.ts';
import { createAwaitRendition } from './delivery/renditions/awaiting.ts';
import { countPending } from './delivery/renditions/claims.ts';
import { hasRenditions, isPlayed } from './delivery/renditions/formats.ts';
import { createRenditions } from './delivery/renditions/renditions.ts';
import { createStripPicture } from './delivery/renditions/strip.ts';
import { createIntake } from './intake/intake.ts';
import { createCopyStripped } from './intake/stripped-copies.ts';
import { createLinkParts } from './links/create.ts';
import { createLinkNotices, type LinkMailer } from './links/notices.ts';
import { rangeHeaders } from './routes/bytes.ts';
import { mountContent } from './routes/content.ts';
import { mountExport } from './routes/export.ts';
import { mountFilePlaces } from './routes/file-places.ts';
import { mountFiles } from './routes/files.ts';
import { mountFolders } from './routes/folders.ts';
import { mountLinkRoutes } from './routes/links/routes.ts';
import { mountListing } from './routes/listing.ts';
import { createMembers } from './routes/members.ts';
import { mountNewest } from './routes/newest.ts';
import { mountPublic } from './routes/public.ts';
import { mountRenditions } from './routes/renditions.ts';
import { createTusOnDemand } from './routes/resumable/on-demand.ts';
import { TUS_ANSWER_HEADERS, TUS_REQUEST_HEADERS } from './routes/resumable/protocol.ts';
import { mountUploads } from './routes/resumable/uploads.ts';
import { mountSearch } from './routes/search.ts';
import { mountSharePage } from './routes/share-page/share-page.ts';
import { mountTeams } from './routes/teams/teams.ts';
import { mountTimeline } from './routes/timeline.ts';
import { mountTrash } from './routes/trash.ts';
import { mountReplace, mountUpload } from './routes/upload.ts';
import { mountUsage } from './routes/usage.ts';
import { mountVersions } from './routes/versions.ts';
import { createIndexer } from './search/indexer.ts';
import { addStorageMetrics, countLinks, createTraffic } from './storage-metrics.ts';
import type { People } from './teams/people.ts';
import type { WorkspaceCreators } from './teams/shared-workspaces.ts';
import { createTeams, type Teams } from './teams/teams.ts';
import { createChanged, filesTopic } from './tree/changes.ts';
import type { StoredFile } from './tree/file.ts';
import { createRoom } from './tree/room.ts';
import { createTree } from './tree/tree.ts';
import type { WorkspaceLimits, Workspaces } from './tree/workspaces.ts';
import { createCollector } from './upkeep/collector.ts';
import { createSweeper } from './upkeep/sweeper.ts';
import { createWorkspaceEraser } from './upkeep/workspace-eraser.ts';

interface StorageDeps {
  database: Database;
  signals: Signals;
  events: Pick<Events, 'publish'>;
  vault: Vault;
  passwords: Passwords;
  clock: Clock;
  log: Log;
  metrics: Metrics;
  attempts: Attempts;
  guard: Guard;
  people: People;
  /** Null = the server sends no mails. */
  mailer: LinkMailer | null;
  /** Number of processes of this server. */
  processes: number;
  blobs: Blobs;
  workspaces: Workspaces;
  /** Id of this run of the server, and of the run before, if that has ended. */
  instance: { id: string; previousId: string | null; isAlone: boolean };
  /** Origin of this server. */
  publicUrl: string;
  /** Origins whose pages may use personal access tokens. */
  corsOrigins: readonly string[];
  limits: WorkspaceLimits & { versionDays: number; fileBytes: number; workspaceCreators: WorkspaceCreators };
}

export interface Storage extends Service {
  tokens: Pick<Teams['tokens'], 'find' | 'rolesOf'>;
  /** Returns the shared workspaces of which no manager can sign in. */
  unmanaged: Teams['administration']['unmanaged'];
  /** Returns the numbers of pictures that are still to be rendered, and of links to folders and to chosen files. */
  counts(): Promise<{ picturesPending: number; links: number }>;
}

/** Files in folders of workspaces, and access to them. */
export function createStorage(deps: StorageDeps): Storage {
  const {
    database,
    signals,
    vault,
    passwords,
    clock,
    log,
    attempts,
    guard,
    people,
    blobs,
    workspaces,
    instance,
    publicUrl,
    corsOrigins,
    limits,
  } = deps;
  const changed = createChanged(database, deps.events);
  const teams = createTeams({ database, clock, people, workspaces, limits, changed });
  const holds = createHolds({ database, clock });
  const tree = createTree({
    database,
    clock,
    vault,
    owner: instance.id,
    limits,
    hasRenditions,
    erasing: () => collector.expect(),
    secretsChanged: (trx, fileId) => attempts.clear(trx, attemptScope('file', fileId)),
    changed,
  });
  const { quota, trashSpace, folders, files, trash } = tree;
  const gate = createGate({ vault, clock, attempts, passwords });
  const access = createAccess({ database, clock, gate });
  const downloads = createDownloads({ database, vault, clock, of: 'file' });
  const renditions = createRenditions({ database, blobs, signals, clock, log });
  const traffic = createTraffic(deps.metrics);
  addStorageMetrics(deps.metrics, database, blobs);
  const exports = createExports({
    database,
    blobs: traffic.countReads(blobs),
    hold: createHoldForExport({ holds, clock, log }),
  });
  const linkParts = createLinkParts({
    database,
    vault,
    clock,
    attempts,
    gate,
    exports,
    files,
    changed,
    ...limits,
  });
  const bytes = traffic.countLinks(traffic.countReads(keepSmall(blobs)));
  const collector = createCollector({ database, blobs, holds, trashSpace, ...limits });
  const eraseWorkspaces = createWorkspaceEraser({
    database,
    trash,
    trashDays: limits.trashDays,
  });
  const stored = (file: StoredFile) => {
    traffic.uploaded(file.sizeBytes);
    if (hasRenditions(file.mimeType) || isPlayed(file.mimeType)) renditions.notify();
  };
  const { collect } = collector;
  const intake = createIntake({
    database,
    clock,
    log,
    blobs,
    holds,
    tree,
    fileBytes: limits.fileBytes,
    requireRoom: createRoom({ database, collect, workspaceBytes: limits.workspaceBytes }),
    links: linkParts.linkUploads,
    stored,
  });
  const { receiver, uploads, garbage } = intake;
  const tus = createTusOnDemand({
    database,
    clock,
    blobs,
    signals,
    uploads,
    garbage,
    node: instance.id,
    fileBytes: limits.fileBytes,
  });
  const copyStripped = createCopyStripped({ strip: createStripPicture(blobs), files, receiver, stored });
  const sweeper = createSweeper({ database, blobs, clock, holds });
  return {
    mount(app) {
      allowBearer(app, {
        pattern: '/api/storage/*',
        except: '/api/storage/public/',
        origins: corsOrigins,
        headers: [...Object.keys(rangeHeaders.shape), ...TUS_REQUEST_HEADERS],
        exposed: [
          'Content-Range',
          'Content-Disposition',
          'ETag',
          'Repr-Digest',
          'Link',
          ...TUS_ANSWER_HEADERS,
        ],
      });
      const { namesOf } = teams;
      const members = createMembers(guard, teams.tokens);
      mountFolders(app, { database, members, folders, trash });
      mountTeams(app, { ...teams, database, clock, guard, members, workspaces });
      mountTimeline(app, { database, members, folders, workspaces, namesOf });
      mountUsage(app, { database, members, folders, workspaces });
      mountFiles(app, {
        database,
        members,
        files,
        trash,
        passwords,
        namesOf,
      });
      mountFilePlaces(app, { database, members, files, folders, namesOf, copyStripped });
      mountListing(app, { database, members, folders, namesOf });
      mountTrash(app, { database, members, files, trash, workspaces, namesOf, trashDays: limits.trashDays });
      mountNewest(app, { database, members, workspaces, namesOf });
      mountLinkRoutes(app, {
        ...linkParts,
        ...limits,
        database,
        members,
        workspaces,
        passwords,
        namesOf,
        blobs: bytes,
        publicUrl,
        clock,
        processes: deps.processes,
        receiver,
        uploads,
        tus,
        stored,
      });
      mountSearch(app, { database, members, workspaces, folders, namesOf });
      mountUpload(app, { database, members, files, folders, receiver, passwords, stored });
      mountReplace(app, { database, members, files, receiver, stored });
      mountVersions(app, { database, members, files, namesOf, blobs: bytes, stored });
      mountUploads(app, { members, uploads, tus, passwords });
      mountContent(app, {
        database,
        members,
        files,
        blobs: bytes,
      });
      mountRenditions(app, {
        database,
        members,
        files,
        blobs: bytes,
        awaitRendition: createAwaitRendition({ database, hurry: renditions.hurry }),
      });
      mountExport(app, { database, members, folders, exports });
      mountPublic(app, { access, downloads, blobs: bytes });
      mountSharePage(app, { access, blobs: bytes, publicUrl });
    },
    tokens: teams.tokens,
    topics: [filesTopic(database)],
    unmanaged: teams.administration.unmanaged,
    counts: async () => ({
      picturesPending: await countPending(database),
      links: (await countLinks(database)).count,
    }),
    probes: { blobs: blobs.probe },
    async start() {
      if (instance.previousId === null) return;
      await quota.forget(instance.previousId);
      await uploads.store.forgetLocks(instance.previousId);
    },
    keepUp(upkeep) {
      upkeep.everywhere(5 * SECOND, 'count downloads', downloads.flush);
      upkeep.everywhere(5 * SECOND, 'count downloads by links', linkParts.downloads.flush);
      upkeep.every(10 * MINUTE, 'download grants', downloads.sweep);
      upkeep.every(10 * MINUTE, 'download grants of links', linkParts.downloads.sweep);
      upkeep.every(MINUTE, 'reservations', quota.sweep);
      upkeep.every(MINUTE, 'resumable uploads', uploads.sweep);
      upkeep.every(MINUTE, 'notices of links', createLinkNotices(deps));
      upkeep.every(MINUTE, 'deleted folders', trash.completeMoves);
      upkeep.every(MINUTE, 'moved folders', folders.completeMoves);
      upkeep.every(10 * MINUTE, 'trash', collector.expire);
      upkeep.every(30 * SECOND, 'search', createIndexer({ database, clock }).catchUp);
      upkeep.every(10 * MINUTE, 'deleted workspaces', eraseWorkspaces);
      upkeep.every(HOUR, 'managers', async () => {
        for (const { id, name } of await teams.administration.unmanaged())
          log.warn({ workspaceId: id, name }, 'no manager of a shared workspace can sign in');
      });
      upkeep.everywhere(SECOND, 'erased files', collector.poll);
      upkeep.every(30 * MINUTE, 'blobs', async () => void (await sweeper.sweepBlobs()));
      renditions.start({ takesOver: instance.isAlone });
      // Not awaited: a stop ends it after the pictures in progress.
      upkeep.everywhere(15 * SECOND, 'renditions', async () => renditions.poll());
    },
    async stop() {
      intake.stop();
      await renditions.stop();
      await downloads.flush();
      await linkParts.downloads.flush();
    },
  };
}
