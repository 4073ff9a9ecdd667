import { createTimeSlices } from '../../kernel/event-loop/time-slices.ts';
import type { App } from '../../kernel/http/context.ts';
import { allowBearer } from '../../kernel/http/cors.ts';
import { createAwaitRendition } from '../delivery/renditions/awaiting.ts';
import type { StorageDeps, StorageModules } from '../modules.ts';
import { rangeHeaders } from './bytes.ts';
import { mountContent } from './content.ts';
import type { RoutesDeps } from './deps.ts';
import { mountExport } from './export.ts';
import { mountFilePlaces } from './file-places.ts';
import { mountFiles } from './files.ts';
import { mountFolders } from './folders.ts';
import { mountLinkRoutes } from './links/routes.ts';
import { mountListing } from './listing.ts';
import { createMembers } from './members.ts';
import { mountNewest } from './newest.ts';
import { mountPublic } from './public.ts';
import { createRecheckUpload } from './recheck.ts';
import { mountRenditions } from './renditions.ts';
import { createTusOnDemand } from './resumable/on-demand.ts';
import { TUS_REQUEST_HEADERS, TUS_RESPONSE_HEADERS } from './resumable/protocol.ts';
import { mountUploads } from './resumable/uploads.ts';
import { mountSearch } from './search.ts';
import { mountSharePage } from './share-page/share-page.ts';
import { mountTeams } from './teams/teams.ts';
import { mountTimeline } from './timeline.ts';
import { mountTrash } from './trash.ts';
import { mountReplace, mountUpload } from './upload.ts';
import { mountUsage } from './usage.ts';
import { mountVersions } from './versions.ts';

/** Time for which lists and searches occupy the event loop without a break, unless a step takes longer. */
const LIST_SLICE_MS = 1;

const EXPOSED_HEADERS = ['Content-Range', 'Content-Disposition', 'ETag', 'Repr-Digest', 'Link'];

export function mountStorage(app: App, deps: StorageDeps, modules: StorageModules): void {
  const { database, guard, limits, publicUrl } = deps;
  const { tree, delivery, intake, links, teams, stored, copyStripped } = modules;
  const { access, downloads, exports, renditions, bytes: blobs } = delivery;
  const { receiver, uploads, garbage } = intake;
  const { namesOf } = teams;
  const { workspaceBytes, trashDays, fileBytes } = limits;
  const members = createMembers(guard, teams.tokens);
  const recheckUpload = createRecheckUpload(deps.uploadRecheckMs);
  const tus = createTusOnDemand({ ...deps, uploads, garbage, fileBytes, node: deps.instance.id });
  const giveWay = createTimeSlices({ shortRequests: deps.shortRequests, ms: LIST_SLICE_MS });
  const awaitRendition = createAwaitRendition({ database, hurry: renditions.hurry });
  const shared: RoutesDeps = {
    ...deps,
    ...tree,
    ...{ members, trashDays, namesOf, blobs, exports, awaitRendition },
    ...{ receiver, uploads, tus, copyStripped, recheckUpload, stored, giveWay },
  };

  allowTokens(app, deps.corsOrigins);
  mountFolders(app, shared);
  mountTeams(app, { ...deps, members, teams });
  mountTimeline(app, shared);
  mountUsage(app, shared);
  mountFiles(app, shared);
  mountFilePlaces(app, shared);
  mountListing(app, shared);
  mountTrash(app, shared);
  mountNewest(app, shared);
  mountLinkRoutes(app, { ...deps, ...shared, ...links, workspaceBytes });
  mountSearch(app, shared);
  mountUpload(app, shared);
  mountReplace(app, shared);
  mountVersions(app, shared);
  mountUploads(app, shared);
  mountContent(app, shared);
  mountRenditions(app, shared);
  mountExport(app, shared);
  mountPublic(app, { access, downloads, blobs });
  mountSharePage(app, { access, blobs, publicUrl, giveWay });
}

/** Allows pages of other origins to send personal access tokens. */
function allowTokens(app: App, origins: readonly string[]): void {
  allowBearer(app, {
    pattern: '/api/storage/*',
    except: '/api/storage/public/',
    origins,
    headers: [...Object.keys(rangeHeaders.shape), ...TUS_REQUEST_HEADERS],
    exposed: [...EXPOSED_HEADERS, ...TUS_RESPONSE_HEADERS],
  });
}
