import { asUnavailable } from '../../kernel/errors/unavailable.ts';
import type { Ctx } from '../../kernel/http/context.ts';
import { languageOf } from '../../kernel/http/language.ts';
import { BRAND, html, page } from '../../kernel/http/pages/page.ts';
import { detailFor } from '../../kernel/http/pages/problem-page.ts';
import { Problem } from '../../kernel/problem.ts';
import { textsOf } from './texts.ts';

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
    const language = languageOf(c);
    const texts = textsOf(language);
    const head = c.env.problems.head(problem, language);
    return await page({
      language,
      ...head,
      body: html`${BRAND}
<h1>${head.title}</h1>
<p role="alert">${detailFor(c, problem)}</p>
<p><a class="button" href="/login">${texts.tryAgain}</a></p>
<p><a class="button quiet" href="/">${texts.startPage}</a></p>`,
    });
  }
}
