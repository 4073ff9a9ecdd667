import type { App } from '../../../kernel/http/context.ts';
import { mountFolderPage } from '../folder-page/folder-page.ts';
import { createLinkAdmission } from './admission.ts';
import { mountLinkBytes } from './bytes.ts';
import type { LinkRoutesDeps } from './deps.ts';
import { mountLinkExport } from './export.ts';
import { mountLinks } from './links.ts';
import { mountLinkListing } from './listing.ts';
import { mountPublicLink } from './public.ts';
import { mountSentUploads } from './resumable.ts';
import { mountLinkUploads } from './uploads.ts';

/** Mounts the routes of links to folders and to chosen files, for members and for visitors. */
export function mountLinkRoutes(app: App, deps: Omit<LinkRoutesDeps, 'admit'>): void {
  const shared = { ...deps, admit: createLinkAdmission(deps) };
  mountLinks(app, shared);
  mountLinkListing(app, shared);
  mountPublicLink(app, shared);
  mountLinkBytes(app, shared);
  mountLinkExport(app, shared);
  // Mounted before the page, whose last path segment matches any text.
  mountLinkUploads(app, shared);
  mountSentUploads(app, shared);
  mountFolderPage(app, shared);
}
