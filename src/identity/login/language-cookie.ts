import { DAY } from '../../kernel/clock.ts';
import type { Ctx } from '../../kernel/http/context.ts';
import { LANGUAGE_COOKIE } from '../../kernel/http/language.ts';
import type { Language } from '../../kernel/language.ts';
import { setCookie } from './cookies.ts';

const LIFETIME_MS = 365 * DAY;

/** Sets the language of pages in this browser. @param language null = its own preference */
export function setLanguageCookie(c: Ctx, language: Language | null, secure: boolean): void {
  setCookie(c, LANGUAGE_COOKIE, language ?? '', { lifetimeMs: language ? LIFETIME_MS : 0, secure });
}
