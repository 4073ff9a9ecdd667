import type { Ctx } from '../../kernel/http/context.ts';
import { BRAND, html, page } from '../../kernel/http/page.ts';
import { Problem } from '../../kernel/problem.ts';
import { asUnavailable } from '../../kernel/unavailable.ts';

/** Reports whether the client accepts HTML, as browsers do and scripts do not. */
export function wantsPage(c: Ctx): boolean {
  return (c.req.header('Accept') ?? '').includes('text/html');
}

/** Runs `work`, and renders the Problem that it throws as a page for clients that accept HTML. */
export async function withProblemPage(c: Ctx, work: () => Promise<Response>): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    const problem = error instanceof Problem ? error : asUnavailable(error);
    if (!problem || !wantsPage(c)) throw error;
    const head = c.env.problems.head(problem);
    return await page({
      ...head,
      body: html`${BRAND}
<h1>${head.title}</h1>
<p role="alert">${problem.detail}</p>
<p><a class="button" href="/login">Try again</a></p>
<p><a class="button quiet" href="/">Go to the start page</a></p>`,
    });
  }
}
