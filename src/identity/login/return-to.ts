import { invalidField } from '../../kernel/problem.ts';

const MAX_LENGTH = 2_000;

/**
 * Returns the path to go to after the sign-in, with query and fragment, as browsers parse it; `/` when
 * absent.
 * @throws Problem 400 for a text that a browser could parse as an address of another site
 */
export function checkReturnTo(returnTo: string | undefined): string {
  if (returnTo === undefined || returnTo === '') return '/';
  const url = URL.parse(returnTo, 'http://here.invalid');
  // Browsers parse `\` as `/` and remove tabs and line ends (https://url.spec.whatwg.org/#url-parsing).
  // `//host` is another site, and removing dot segments can produce it.
  const isLocal =
    returnTo.length <= MAX_LENGTH &&
    /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(returnTo) &&
    url?.origin === 'http://here.invalid' &&
    !url.pathname.startsWith('//');
  if (!isLocal)
    throw invalidField('returnTo', `must be a path on this server with at most ${MAX_LENGTH} characters`);
  return url.pathname + url.search + url.hash;
}
