import { CODES, type ProblemCode } from '../codes.ts';
import { html, page, withCode } from '../page.ts';
import { REMEDIES } from '../remedies.ts';

/** Every code with its status, title and remedy, in the order of their statuses. */
export function listErrors(): { code: ProblemCode; status: number; title: string; remedy: string }[] {
  return (Object.keys(CODES) as ProblemCode[])
    .map((code) => ({ code, ...CODES[code], remedy: REMEDIES[code] }))
    .sort((a, b) => a.status - b.status);
}

/** The page `/docs/errors`, to which the `type` of a problem leads. */
export function errorsPage(): Promise<Response> {
  return page({
    title: 'Error codes',
    width: 'wide',
    style: 'section:target { outline: 2px solid var(--accent); outline-offset: .5rem; border-radius: .25rem; }',
    headers: { 'Cache-Control': 'no-cache' },
    body: html`<h1>Error codes</h1>
<p>An error answer is <code>application/problem+json</code> (RFC 9457). Its <code>code</code> is one of these and keeps its meaning. <a href="/docs">The API</a></p>
${listErrors().map(
  ({ code, status, title, remedy }) => html`<section id="${code}"><h2><code>${code}</code> <small>${status}</small></h2>
<p>${title}. ${withCode(remedy)}</p></section>
`,
)}`,
  });
}
