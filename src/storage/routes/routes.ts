import type { App } from '../../kernel/http/context.ts';
import { allowBearer } from '../../kernel/http/cors.ts';
import { createAwaitRendition } from '../delivery/renditions/awaiting.ts';
import type { StorageParts } from '../parts.ts';
import { rangeHeaders } from './bytes.ts';
import { mountContent } from './content.ts';
import { mountExport } from './export.ts';
import { mountFilePlaces } from './file-places.ts';
import { mountFiles } from './files.ts';
import { mountFolders } from './folders.ts';
import { mountLinkRoutes } from './links/routes.ts';
import { mountListing } from './listing.ts';
import { createMembers } from './members.ts';
import { mountNewest } from './newest.ts';
import { mountPublic } from './public.ts';
import { mountRenditions } from './renditions.ts';
import { createTusOnDemand } from './resumable/on-demand.ts';
import { TUS_ANSWER_HEADERS, TUS_REQUEST_HEADERS } from './resumable/protocol.ts';
import { mountUploads } from './resumable/uploads.ts';
import { mountSearch } from './search.ts';
import { mountSharePage } from './share-page/share-page.ts';
import { mountTeams } from './teams/teams.ts';
import { mountTimeline } from './timeline.ts';
import { mountTrash } from './trash.ts';
import { mountReplace, mountUpload } from './upload.ts';
import { mountUsage } from './usage.ts';
import { mountVersions } from './versions.ts';

const EXPOSED_HEADERS = ['Content-Range', 'Content-Disposition', 'ETag', 'Repr-Digest', 'Link'];

/** Mounts the routes of storage. */
export function mountStorage(app: App, parts: StorageParts): void {
  const { database, guard, instance, limits, delivery, intake, teams } = parts;
  allowBearer(app, {
    pattern: '/api/storage/*',
    except: '/api/storage/public/',
    origins: parts.corsOrigins,
    headers: [...Object.keys(rangeHeaders.shape), ...TUS_REQUEST_HEADERS],
    exposed: [...EXPOSED_HEADERS, ...TUS_ANSWER_HEADERS],
  });
  const tus = createTusOnDemand({ ...parts, ...intake, node: instance.id, fileBytes: limits.fileBytes });
  const deps = {
    ...parts,
    ...delivery,
    ...intake,
    ...limits,
    tus,
    blobs: delivery.bytes,
    members: createMembers(guard, teams.tokens),
    namesOf: teams.namesOf,
    awaitRendition: createAwaitRendition({ database, hurry: delivery.renditions.hurry }),
  };
  mountFolders(app, deps);
  mountTeams(app, { ...deps, ...teams });
  mountTimeline(app, deps);
  mountUsage(app, deps);
  mountFiles(app, deps);
  mountFilePlaces(app, deps);
  mountListing(app, deps);
  mountTrash(app, deps);
  mountNewest(app, deps);
  mountLinkRoutes(app, { ...deps, ...parts.links });
  mountSearch(app, deps);
  mountUpload(app, deps);
  mountReplace(app, deps);
  mountVersions(app, deps);
  mountUploads(app, deps);
  mountContent(app, deps);
  mountRenditions(app, deps);
  mountExport(app, deps);
  mountPublic(app, deps);
  mountSharePage(app, deps);
}
