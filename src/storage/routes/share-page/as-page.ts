import type { Ctx } from '../../../kernel/http/context.ts';
import { detailFor, prefersPage } from '../../../kernel/http/pages/problem-page.ts';
import { Problem } from '../../../kernel/problem.ts';
import { PASS_MS } from '../../delivery/passes.ts';
import { PASS_COOKIE } from '../secrets.ts';
import { deadLinkPage } from './dead-link.ts';
import type { FormResponse } from './locked-page.ts';

/**
 * Renders the problems of `work` as pages, for people.
 * @param unlockForm renders the form for the secrets that are missing or wrong
 */
export async function asPage(
  c: Ctx,
  work: () => Promise<Response>,
  unlockForm: (form: FormResponse) => Promise<Response>,
): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const isMissing = error.code === 'access_key_required' || error.code === 'file_password_required';
    if (isMissing && c.req.method !== 'POST')
      return await unlockForm({ complaint: null, status: 200, headers: {} });
    const { status, headers } = c.env.problems.head(error);
    if ((status === 403 || status === 429) && prefersPage(c))
      return await unlockForm({ complaint: detailFor(c, error), status, headers });
    return await deadLinkPage(c, error);
  }
}

/** Adds the cookie with a pass to a response, for `path` and all below it. */
export function addPass(
  response: Response,
  { pass, path, secure }: { pass: string; path: string; secure: boolean },
): void {
  const attributes = `HttpOnly; SameSite=Lax; Max-Age=${PASS_MS / 1000}${secure ? '; Secure' : ''}`;
  response.headers.append('Set-Cookie', `${PASS_COOKIE}=${pass}; Path=${path}; ${attributes}`);
}
