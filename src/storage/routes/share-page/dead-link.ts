import type { Ctx } from '../../../kernel/http/context.ts';
import { languageOf } from '../../../kernel/http/language.ts';
import { BRAND, html, page } from '../../../kernel/http/pages/page.ts';
import { detailFor, prefersPage } from '../../../kernel/http/pages/problem-page.ts';
import { PROBLEM_VARY } from '../../../kernel/http/problems/problems.ts';
import { Problem } from '../../../kernel/problem.ts';
import { textsOf } from './texts.ts';

/** Header fields of all pages of shared files and links. */
export const NOT_INDEXED = { 'X-Robots-Tag': 'noindex' };

/**
 * Renders the page for a person whose link opens nothing: unknown, withdrawn, expired, or used up.
 * @throws `error` itself when it is another one, or the client is a program
 */
export function deadLinkPage(c: Ctx, error: unknown): Promise<Response> {
  if (!(error instanceof Problem) || !prefersPage(c)) throw error;
  const { status, headers } = c.env.problems.head(error);
  if (status !== 404 && status !== 410) throw error;
  const language = languageOf(c);
  const texts = textsOf(language);
  const reason = status === 404 ? texts.withdrawn : detailFor(c, error);
  return page({
    language,
    title: texts.deadLink,
    status,
    headers: { ...NOT_INDEXED, ...headers, Vary: PROBLEM_VARY },
    body: html`${BRAND}<h1>${texts.deadLink}</h1><p>${reason}</p><p>${texts.askSender}</p>`,
  });
}

/** Runs `work`, and renders its problem as `deadLinkPage` does. */
export function orDeadLink(c: Ctx, work: () => Promise<Response> | Response): Promise<Response> | Response {
  try {
    const response = work();
    return response instanceof Promise ? response.catch((error) => deadLinkPage(c, error)) : response;
  } catch (error) {
    return deadLinkPage(c, error);
  }
}
