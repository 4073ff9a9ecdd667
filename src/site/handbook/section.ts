import { type Html, html, withCode } from '../../kernel/http/pages/page.ts';
import type { ContentByType, OpenApi, Operation } from '../openapi-types.ts';
import { curlLine } from './curl.ts';
import type { Placed, Section } from './places.ts';
import type { Field, Schemas } from './schemas.ts';

/** Renders the operations of one tag, with their fields, an example and their responses. */
export function sectionBody(
  document: OpenApi,
  { title, description, operations }: Section,
  schemas: Schemas,
): Html {
  return html`<h1>${title}</h1>
<p>${description}</p>
${operations.map((placed) => article(document, placed, schemas))}`;
}

function article(document: OpenApi, placed: Placed, schemas: Schemas): Html {
  const { method, path, anchor, operation } = placed;
  return html`<article id="${anchor}">
<h2><a href="#${anchor}">${operation.summary ?? path}</a></h2>
<p><span class="method ${method}">${method.toUpperCase()}</span> <span class="path">${path}</span></p>
${operation.description !== operation.summary && html`<p>${operation.description ?? ''}</p>`}
<p class="muted">${requiredCredentials(operation)}</p>
${parameters(operation, schemas)}
${operation.requestBody && bodies(operation.requestBody.content, schemas)}
<h3>Example</h3>
<pre tabindex="0"><code>${curlLine(document, placed, schemas)}</code></pre>
${responses(operation, schemas)}
</article>
`;
}

const CREDENTIALS: Record<string, string> = {
  session: 'a session cookie',
  bearer: 'a personal access token',
  basic: 'ClientId and ClientSecret as HTTP Basic credentials',
};

function requiredCredentials({ security = [], 'x-access': access }: Operation): string {
  if (access === 'client') return 'Requires ClientId and ClientSecret in the body.';
  const names = security.flatMap((requirement) => Object.keys(requirement));
  const credentials = names.map((name) => CREDENTIALS[name] ?? name).join(' or ');
  if (credentials === '') return 'Requires no credentials.';
  return isOptional(security) ? `Accepts ${credentials}.` : `Requires ${credentials}.`;
}

/** OpenAPI 3.1 §4.8.10: an empty requirement makes credentials optional. */
function isOptional(security: readonly Record<string, string[]>[]): boolean {
  return security.some((requirement) => Object.keys(requirement).length === 0);
}

function parameters({ parameters: given = [] }: Operation, schemas: Schemas): Html | null {
  if (given.length === 0) return null;
  const rows = given.map(({ name, in: place, required = false, schema = {}, description }) => ({
    path: name,
    type: `${schemas.typeOf(schema)}, ${place}`,
    required,
    about: description ?? schemas.fields({ properties: { [name]: schema } })[0]?.about ?? '',
  }));
  return html`<h3>Parameters</h3>${table(rows)}`;
}

function bodies(content: ContentByType, schemas: Schemas): Html[] {
  return Object.entries(content).map(([type, { schema = {} }]) => {
    const fields = schemas.fields(schema);
    const content = fields.length > 0 ? table(fields) : html`<p>${schemas.typeOf(schema)}</p>`;
    return html`<h3>Body <code>${type}</code></h3>${content}`;
  });
}

function table(rows: readonly Field[]): Html {
  return html`<div class="scroll"><table><thead><tr><th>Name</th><th>Type</th><th></th></tr></thead><tbody>
${rows.map(
  ({ path, type, required, about }) => html`<tr><td><code>${path}</code></td><td>${type}</td>
<td>${required && html`<strong>required</strong>${about && '; '}`}${withCode(about)}</td></tr>`,
)}
</tbody></table></div>`;
}

function responses(operation: Operation, schemas: Schemas): Html {
  const entries = Object.entries(operation.responses);
  const successes = entries.filter(([status]) => Number(status) < 400);
  const errors = entries.filter(([status]) => Number(status) >= 400);
  return html`${successes.map(
    ([status, { description, content }]) => html`<h3>Response ${status}</h3>
<p>${withCode(description)}</p>${bodies(content ?? {}, schemas)}`,
  )}
${
  errors.length > 0 &&
  html`<h3>Errors</h3>
<ul>${errors.map(([status, { description }]) => html`<li>${status}: ${codes(description)}</li>`)}</ul>`
}`;
}

/** Renders codes in backticks as links to their explanations. */
function codes(description: string): Html[] {
  return description
    .split(/`(\w+)`/)
    .map((text, index) =>
      index % 2 === 1 ? html`<a href="/docs/errors#${text}"><code>${text}</code></a>` : html`${text}`,
    );
}
