import { html, page, withCode } from '../../kernel/http/page.ts';
import type { Problems } from '../../kernel/http/problems.ts';

/** The page `/docs/errors`, to which the `type` of a problem leads. */
export function errorsPage(problems: Problems): Promise<Response> {
  return page({
    title: 'Error codes',
    width: 'wide',
    style:
      'section:target { outline: 2px solid var(--accent); outline-offset: .5rem; border-radius: .25rem; }',
    headers: { 'Cache-Control': 'no-cache' },
    body: html`<h1>Error codes</h1>
<p>An error response is <code>application/problem+json</code> (RFC 9457).
Its <code>code</code> is one of these; codes keep their meaning. <a href="/docs">API</a></p>
${problems.list().map(
  ({
    code,
    status,
    title,
    remedy,
  }) => html`<section id="${code}"><h2><code>${code}</code> <small>${status}</small></h2>
<p>${title}. ${withCode(remedy)}</p></section>
`,
)}`,
  });
}
