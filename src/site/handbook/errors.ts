import { type Html, html, withCode } from '../../kernel/http/pages/page.ts';
import type { Problems } from '../../kernel/http/problems/problems.ts';

/** Renders every error code under an anchor, to which the `type` of a problem leads. */
export function errorsBody(problems: Problems): Html {
  return html`<h1>Error codes</h1>
<p>An error response is <code>application/problem+json</code> (RFC 9457).
Its <code>code</code> is one of these; codes keep their meaning.</p>
${problems.list().map(
  ({
    code,
    status,
    title,
    remedy,
  }) => html`<section id="${code}"><h2><code>${code}</code> <small>${status}</small></h2>
<p>${title}. ${withCode(remedy)}</p></section>
`,
)}`;
}
