import { parse } from 'hono/utils/cookie';
import { isLanguage, LANGUAGES, type Language } from '../language.ts';
import type { Ctx } from './context.ts';
import { weightsOf } from './weights.ts';

/** Holds the language that a person chose, in place of the browser's preference. */
export const LANGUAGE_COOKIE = 'posthouse-language';

/** Returns the language for the reader of a page: the chosen one, or else the one that the browser prefers. */
export const languageOf = (c: Ctx): Language => languageBy((name) => c.req.header(name));

/** @param header returns a header field of the request */
export function languageBy(header: (name: 'cookie' | 'accept-language') => string | undefined): Language {
  const cookies = header('cookie');
  const chosen = cookies === undefined ? undefined : parse(cookies, LANGUAGE_COOKIE)[LANGUAGE_COOKIE];
  return isLanguage(chosen) ? chosen : preferredLanguage(header('accept-language'));
}

/** Returns the language that `Accept-Language` prefers (RFC 9110 §12.5.4), by its primary subtag. */
export function preferredLanguage(header: string | undefined): Language {
  // Most programs send none.
  if (header === undefined) return LANGUAGES[0];
  const byWeight = [...weightsOf(header)].filter(([, weight]) => weight > 0).sort((a, b) => b[1] - a[1]);
  for (const [tag] of byWeight) {
    const primary = tag.split('-')[0];
    if (isLanguage(primary)) return primary;
  }
  return LANGUAGES[0];
}
