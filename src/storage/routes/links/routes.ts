import type { App } from '../../../kernel/http/context.ts';
import type { BlobReader } from '../../blobs/small.ts';
import type { LinkParts } from '../../links/create.ts';
import type { Workspaces } from '../../tree/workspaces.ts';
import { mountFolderPage } from '../folder-page/folder-page.ts';
import { mountLinkBytes } from './bytes.ts';
import { type LinkRoutesDeps, mountLinks } from './links.ts';
import { mountLinkListing } from './listing.ts';
import { mountPublicLink } from './public.ts';

interface Deps extends LinkParts, LinkRoutesDeps {
  workspaces: Workspaces;
  blobs: BlobReader;
}

/** Links to folders and to chosen files, for members and for visitors. */
export function mountLinkRoutes(app: App, deps: Deps): void {
  mountLinks(app, deps);
  mountLinkListing(app, deps);
  mountPublicLink(app, deps);
  mountLinkBytes(app, deps);
  mountFolderPage(app, deps);
}
