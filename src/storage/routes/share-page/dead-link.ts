import type { Ctx } from '../../../kernel/http/context.ts';
import { BRAND, html, page } from '../../../kernel/http/page.ts';
import { prefersPage } from '../../../kernel/http/problem-page.ts';
import { PROBLEM_VARY } from '../../../kernel/http/problems.ts';
import { Problem } from '../../../kernel/problem.ts';

/** Header fields of all pages of shared files and links. */
export const NOT_INDEXED = { 'X-Robots-Tag': 'noindex' };

const TITLE = 'This link does not work any more';

/**
 * Renders the page for a person whose link opens nothing: unknown, withdrawn, expired, or used up.
 * @throws `error` itself when it is another one, or the client is a program
 */
export function deadLinkPage(c: Ctx, error: unknown): Promise<Response> {
  if (!(error instanceof Problem) || !prefersPage(c)) throw error;
  const { status, headers } = c.env.problems.head(error);
  if (status !== 404 && status !== 410) throw error;
  const reason = status === 404 ? 'It was withdrawn, or the address is incomplete.' : error.detail;
  return page({
    title: TITLE,
    status,
    headers: { ...NOT_INDEXED, ...headers, Vary: PROBLEM_VARY },
    body: html`${BRAND}<h1>${TITLE}</h1><p>${reason}</p><p>Ask the person who sent it for a new link.</p>`,
  });
}

/** Runs `work`, and renders its problem as `deadLinkPage` does. */
export async function orDeadLink(c: Ctx, work: () => Promise<Response>): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    return await deadLinkPage(c, error);
  }
}
