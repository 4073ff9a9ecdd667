import type { Ctx } from '../../kernel/http/context.ts';
import { html, page } from '../../kernel/http/page.ts';
import { Problem } from '../../kernel/problem.ts';

/** Reports whether the client accepts HTML, as browsers do and scripts do not. */
export function wantsPage(c: Ctx): boolean {
  return (c.req.header('Accept') ?? '').includes('text/html');
}

/** Runs `work`, and renders the Problem that it throws as a page for clients that accept HTML. */
export async function withProblemPage(c: Ctx, work: () => Promise<Response>): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Problem) || !wantsPage(c)) throw error;
    const head = c.get('problems').head(error);
    return await page({
      ...head,
      body: html`<h1>${head.title}</h1>
<p role="alert">${error.detail}</p>
<p><a class="button" href="/login">Try again</a></p>
<p><a class="button quiet" href="/">Go to the start page</a></p>`,
    });
  }
}
