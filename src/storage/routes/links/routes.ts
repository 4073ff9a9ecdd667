import type { Clock } from '../../../kernel/clock.ts';
import type { App } from '../../../kernel/http/context.ts';
import type { LinkModules } from '../../links/modules.ts';
import type { RoutesDeps } from '../deps.ts';
import { mountFolderPage } from '../folder-page/folder-page.ts';
import { createLinkAdmission } from './admission.ts';
import { mountLinkBytes } from './bytes.ts';
import { mountLinkExport } from './export.ts';
import { mountLinks } from './links.ts';
import { mountLinkListing } from './listing.ts';
import { mountPublicLink } from './public.ts';
import type { LinkRecordOptions } from './records.ts';
import { mountSentUploads } from './resumable.ts';
import { mountLinkUploads } from './uploads.ts';

interface LinkManagementDeps
  extends LinkRecordOptions,
    Pick<RoutesDeps, 'database' | 'members' | 'passwords' | 'workspaces' | 'namesOf' | 'giveWay'> {
  links: LinkModules;
}

interface LinkVisitorDeps
  extends Pick<RoutesDeps, 'blobs' | 'receiver' | 'uploads' | 'tus' | 'stored' | 'giveWay'> {
  links: LinkModules;
  clock: Clock;
  /** Number of processes of this server. */
  processes: number;
  publicUrl: string;
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
