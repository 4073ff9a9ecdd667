import type { LinkAccess } from '../../links/access.ts';
import type { StoredLink } from '../../links/link.ts';
import { addPass } from '../share-page/as-page.ts';

/** Returns a function that adds the cookie with which a browser may use an opened link for a while. */
export function createLinkPass({ linkAccess, publicUrl }: { linkAccess: LinkAccess; publicUrl: string }) {
  const secure = publicUrl.startsWith('https:');
  return (response: Response, link: StoredLink): Response => {
    if (link.passwordHash !== null)
      addPass(response, { pass: linkAccess.passFor(link), path: `/public/folder/${link.token}`, secure });
    return response;
  };
}
