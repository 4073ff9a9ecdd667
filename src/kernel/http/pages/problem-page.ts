import type { Language } from '../../language.ts';
import type { Problem } from '../../problem.ts';
import { weightsOf } from '../../weights.ts';
import type { Ctx } from '../context.ts';
import { languageOf } from '../language.ts';
import { PROBLEM_VARY } from '../problems/problems.ts';
import { BRAND, html, page } from './page.ts';
import { textsOf } from './texts.ts';

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

/** Returns the sentence about a problem for the reader of the page. */
export const detailFor = (c: Ctx, problem: Problem) => c.env.problems.detail(problem, languageOf(c));

export function problemPage(c: Ctx, problem: Problem): Promise<Response> {
  const language = languageOf(c);
  const { status, title, headers } = c.env.problems.head(problem, language);
  return page({
    language,
    title,
    status,
    headers: { ...headers, Vary: PROBLEM_VARY },
    body: html`${c.get('formPage') === undefined ? BRAND : ''}<h1>${title}</h1>
<p role="alert">${detailFor(c, problem)}</p>
${wayBack(c.get('formPage'), language)}
<p class="muted">${textsOf(language).request(c.env.requestId)}</p>`,
  });
}

/** Links to the page of the form that was posted from another site, or else to the start page of this server. */
function wayBack(formPage: string | null | undefined, language: Language) {
  const texts = textsOf(language);
  if (formPage === undefined) return html`<p><a class="button quiet" href="/">${texts.startPage}</a></p>`;
  return html`<p>${texts.backToForm}</p>
${formPage && html`<p><a class="button" href="${formPage}">${texts.backTo(new URL(formPage).hostname)}</a></p>`}`;
}

/** Renders the page for an address that does not exist. */
export function missingPage(c: Ctx): Promise<Response> {
  const language = languageOf(c);
  const texts = textsOf(language);
  return page({
    language,
    title: texts.notFound,
    status: 404,
    headers: { Vary: PROBLEM_VARY },
    body: html`${BRAND}<h1>${texts.notFound}</h1>
<p>${texts.notFoundText}</p><p><a class="button quiet" href="/">${texts.homePage}</a></p>`,
  });
}
