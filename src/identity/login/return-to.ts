import { invalidField } from '../../kernel/http/problem.ts';

const LONGEST = 2_000;

/**
 * The place to go to after the login: a path of our own, with query and fragment.
 * @returns the path as browsers would read it @throws Problem 400 for everything that a browser could take for another site
 */
export function checkReturnTo(returnTo: string | undefined): string {
  if (returnTo === undefined || returnTo === '') return '/';
  const url = URL.parse(returnTo, 'http://here.invalid');
  // Browsers read `\` as `/` and leave tabs and line ends out (https://url.spec.whatwg.org/#url-parsing); `//host` is another site,
  // and dot segments may leave one behind.
  const isLocal =
    returnTo.length <= LONGEST &&
    /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(returnTo) &&
    url?.origin === 'http://here.invalid' &&
    !url.pathname.startsWith('//');
  if (!isLocal) throw invalidField('returnTo', `must be a path on this server, of ${LONGEST} characters at most`);
  return url.pathname + url.search + url.hash;
}
