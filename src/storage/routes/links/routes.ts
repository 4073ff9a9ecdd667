import type { Clock } from '../../../kernel/clock.ts';
import type { Passwords } from '../../../kernel/crypto/passwords.ts';
import type { Database } from '../../../kernel/database/database.ts';
import type { GiveWay } from '../../../kernel/event-loop/time-slices.ts';
import type { App } from '../../../kernel/http/context.ts';
import type { BlobReader } from '../../blobs/small.ts';
import type { Receiver } from '../../intake/receiver.ts';
import type { Uploads } from '../../intake/resumable/uploads.ts';
import type { LinkModules } from '../../links/modules.ts';
import type { NamesOf } from '../../teams/names.ts';
import type { StoredFile } from '../../tree/files/file.ts';
import type { Workspaces } from '../../tree/workspaces.ts';
import { mountFolderPage } from '../folder-page/folder-page.ts';
import type { Members } from '../members.ts';
import type { HandleTus } from '../resumable/protocol.ts';
import { createLinkAdmission } from './admission.ts';
import { mountLinkBytes } from './bytes.ts';
import { mountLinkExport } from './export.ts';
import { mountLinks } from './links.ts';
import { mountLinkListing } from './listing.ts';
import { mountPublicLink } from './public.ts';
import type { LinkRecordOptions } from './records.ts';
import { mountSentUploads } from './resumable.ts';
import { mountLinkUploads } from './uploads.ts';

interface LinkManagementDeps extends LinkRecordOptions {
  database: Database;
  members: Members;
  links: LinkModules;
  passwords: Passwords;
  workspaces: Workspaces;
  namesOf: NamesOf;
  giveWay: GiveWay;
}

interface LinkVisitorDeps {
  links: LinkModules;
  clock: Clock;
  /** Number of processes of this server. */
  processes: number;
  publicUrl: string;
  blobs: BlobReader;
  receiver: Receiver;
  uploads: Uploads;
  tus: HandleTus;
  /** Called after a file is committed. */
  stored(file: StoredFile): void;
  /** Shared by all lists. */
  giveWay: GiveWay;
}

/** Mounts the routes of links to folders and to chosen files. */
export function mountLinkRoutes(app: App, deps: LinkManagementDeps & LinkVisitorDeps): void {
  mountManagement(app, deps);
  mountForVisitors(app, deps);
}

/** Mounts the routes for members: create, read, change, delete and list links. */
function mountManagement(app: App, deps: LinkManagementDeps): void {
  const { links, findTarget } = deps.links;
  mountLinks(app, { ...deps, links, findTarget });
  mountLinkListing(app, { ...deps, links });
}

/** Mounts the routes for visitors of links: pages, downloads, uploads. */
function mountForVisitors(app: App, deps: LinkVisitorDeps): void {
  const { clock, processes, publicUrl, blobs, receiver, uploads, tus, stored, giveWay } = deps;
  const { linkAccess, linkUploads, uploadKeys, content, downloads } = deps.links;
  mountPublicLink(app, { linkAccess, content, giveWay });
  mountLinkBytes(app, { linkAccess, content, blobs, downloads });
  mountLinkExport(app, { linkAccess, content, downloads, clock, processes });
  // Mounted before the page, whose last path segment matches any text.
  const admit = createLinkAdmission({ clock, processes, linkAccess });
  mountLinkUploads(app, { admit, linkUploads, receiver, stored });
  mountSentUploads(app, { admit, linkAccess, linkUploads, uploadKeys, uploads, tus, publicUrl });
  mountFolderPage(app, { linkAccess, content, publicUrl, giveWay });
}
