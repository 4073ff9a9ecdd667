import { parse } from 'hono/utils/cookie';
import { isLanguage, type Language, preferredLanguage } from '../language.ts';
import type { Ctx } from './context.ts';

/** Name of the cookie with the language that a person chose, which overrides the browser's preference. */
export const LANGUAGE_COOKIE = 'posthouse-language';

/** Returns the language for the reader of a page: the chosen one, or else the one that the browser prefers. */
export const languageOf = (c: Ctx): Language => languageBy((name) => c.req.header(name));

/** @param header returns a header field of the request */
export function languageBy(header: (name: 'cookie' | 'accept-language') => string | undefined): Language {
  const cookies = header('cookie');
  const chosen = cookies === undefined ? undefined : parse(cookies, LANGUAGE_COOKIE)[LANGUAGE_COOKIE];
  return isLanguage(chosen) ? chosen : preferredLanguage(header('accept-language'));
}
