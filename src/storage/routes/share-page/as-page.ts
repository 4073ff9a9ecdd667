import type { Ctx } from '../../../kernel/http/context.ts';
import { Problem } from '../../../kernel/problem.ts';
import { PASS_MS } from '../../delivery/passes.ts';
import { PASS_COOKIE } from '../public.ts';
import { type FormAnswer, refusalPage } from './locked-page.ts';

/**
 * Renders the problems of `work` as pages, for clients that accept HTML.
 * @param unlockForm renders the form for the secrets that are missing or wrong
 */
export async function asPage(
  c: Ctx,
  work: () => Promise<Response>,
  unlockForm: (answer: FormAnswer) => Promise<Response>,
): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const isMissing = error.code === 'access_key_required' || error.code === 'file_password_required';
    if (isMissing && c.req.method !== 'POST')
      return await unlockForm({ complaint: null, status: 200, headers: {} });
    if (!c.req.header('Accept')?.includes('text/html')) throw error;
    const { status, headers } = c.env.problems.head(error);
    if (status === 403 || status === 429)
      return await unlockForm({ complaint: error.detail, status, headers });
    const reason = status === 404 ? 'It was withdrawn, or the address is incomplete.' : error.detail;
    return await refusalPage(reason, status, headers);
  }
}

/** Adds the cookie with a pass to an answer, for `path` and all below it. */
export function addPass(
  answer: Response,
  { pass, path, secure }: { pass: string; path: string; secure: boolean },
): void {
  const attributes = `HttpOnly; SameSite=Lax; Max-Age=${PASS_MS / 1000}${secure ? '; Secure' : ''}`;
  answer.headers.append('Set-Cookie', `${PASS_COOKIE}=${pass}; Path=${path}; ${attributes}`);
}
