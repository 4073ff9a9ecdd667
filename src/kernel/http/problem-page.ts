import type { Problem } from '../problem.ts';
import type { Ctx } from './context.ts';
import { html, page } from './page.ts';
import { PROBLEM_VARY } from './problems.ts';
import { weightsOf } from './weights.ts';

/** Reports whether a browser navigates to the response, or the client prefers HTML to JSON. */
export function prefersPage(c: Ctx): boolean {
  const destination = c.req.header('Sec-Fetch-Dest');
  const mode = c.req.header('Sec-Fetch-Mode');
  if ((destination ?? mode) !== undefined) return destination === 'document' || mode === 'navigate';
  const accept = c.req.header('Accept');
  if (!accept?.includes('text/html')) return false;
  const weights = weightsOf(accept);
  const json = JSON_TYPES.map((type) => weights.get(type) ?? 0);
  return (weights.get('text/html') ?? 0) > Math.max(...json);
}

const JSON_TYPES = ['application/json', 'application/problem+json'];

/** Renders a problem as a page. */
export function problemPage(c: Ctx, problem: Problem): Promise<Response> {
  const { status, title, headers } = c.env.problems.head(problem);
  return page({
    title,
    status,
    headers: { ...headers, Vary: PROBLEM_VARY },
    body: html`<h1>${title}</h1>
<p role="alert">${problem.detail}</p>
${wayBack(c.get('formPage'))}
<p class="muted">Request ${c.env.requestId}</p>`,
  });
}

/** A visitor of another site has no use for the pages of this server. */
function wayBack(formPage: string | null | undefined) {
  if (formPage === undefined) return html`<p><a class="button quiet" href="/">Go to the start page</a></p>`;
  return html`<p>Your browser’s Back button returns to the form, with the text that you entered.</p>
${formPage && html`<p><a class="button" href="${formPage}">Back to ${new URL(formPage).hostname}</a></p>`}`;
}

/** Renders the page for an address that does not exist. */
export function missingPage(): Promise<Response> {
  const title = 'Page not found';
  return page({
    title,
    status: 404,
    headers: { Vary: PROBLEM_VARY },
    body: html`<h1>${title}</h1>
<p>The address may be mistyped, or the page was removed.</p><p><a href="/">Home page</a></p>`,
  });
}
