import { CODES } from '../../kernel/http/codes.ts';
import type { Ctx } from '../../kernel/http/context.ts';
import { html, page } from '../../kernel/http/page.ts';
import { Problem } from '../../kernel/http/problem.ts';

/** True for a person's browser that shows what is answered, false for a script. */
export function wantsPage(c: Ctx): boolean {
  return (c.req.header('Accept') ?? '').includes('text/html');
}

/** Does `work`; what it refuses is shown to a person as a page with a way on. */
export async function refusingByPage(c: Ctx, work: () => Promise<Response>): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Problem) || !wantsPage(c)) throw error;
    return await page({
      title: CODES[error.code].title,
      status: error.status,
      headers: error.headers,
      body: html`<h1>${CODES[error.code].title}</h1>
<p role="alert">${error.detail}</p>
<p><a class="button" href="/login">Try again</a></p>
<p><a class="button quiet" href="/">To the first page</a></p>`,
    });
  }
}
