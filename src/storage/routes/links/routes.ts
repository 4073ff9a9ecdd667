import type { Clock } from '../../../kernel/clock.ts';
import type { App } from '../../../kernel/http/context.ts';
import type { BlobReader } from '../../blobs/small.ts';
import type { Receiver } from '../../intake/receiver.ts';
import type { Uploads } from '../../intake/resumable/uploads.ts';
import type { LinkParts } from '../../links/create.ts';
import type { StoredFile } from '../../tree/file.ts';
import type { Workspaces } from '../../tree/workspaces.ts';
import { mountFolderPage } from '../folder-page/folder-page.ts';
import type { AnswerTus } from '../resumable/protocol.ts';
import { createAdmission } from './admission.ts';
import { mountLinkBytes } from './bytes.ts';
import { mountLinkExport } from './export.ts';
import { type LinkRoutesDeps, mountLinks } from './links.ts';
import { mountLinkListing } from './listing.ts';
import { mountPublicLink } from './public.ts';
import { mountSentUploads } from './resumable.ts';
import { mountLinkUploads } from './uploads.ts';
import { createVisits } from './visits.ts';

interface Deps extends LinkParts, LinkRoutesDeps {
  workspaces: Workspaces;
  blobs: BlobReader;
  clock: Clock;
  /** Number of processes of this server. */
  processes: number;
  receiver: Receiver;
  uploads: Uploads;
  tus: AnswerTus;
  /** Called after a file is committed. */
  stored(file: StoredFile): void;
}

/** Links to folders and to chosen files, for members and for visitors. */
export function mountLinkRoutes(app: App, deps: Deps): void {
  mountLinks(app, deps);
  mountLinkListing(app, deps);
  mountPublicLink(app, deps);
  const visits = createVisits(deps);
  mountLinkBytes(app, { ...deps, visits });
  mountLinkExport(app, { ...deps, visits });
  // Before the page, of which the last segment is any text.
  const admit = createAdmission(deps);
  mountLinkUploads(app, { ...deps, admit });
  mountSentUploads(app, { ...deps, admit });
  mountFolderPage(app, deps);
}
