import { type Html, html, page, withCode } from '../../kernel/http/page.ts';
import { curlLine } from './curl.ts';
import {
  type Content,
  createSchemas,
  type Field,
  type OpenApi,
  type Operation,
  type Schemas,
} from './schema.ts';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** An operation with its place in the document. */
interface Placed {
  method: string;
  path: string;
  anchor: string;
  operation: Operation;
}

const STYLE = `
@media (min-width: 60rem) {
  main.wide { max-width: 84rem; display: grid; grid-template-columns: 17rem minmax(0, 1fr); gap: 0 2.5rem;
    align-items: start; }
  main > header { grid-column: 1 / -1; }
  main > nav { position: sticky; top: 0; max-height: 100vh; overflow-y: auto; padding: 1rem 0; }
}
nav ul { list-style: none; margin: 0 0 1rem; padding: 0; }
nav li a { display: block; padding: .3rem 0; text-decoration: none; font-size: .9rem; }
nav h2 { font-size: .8rem; text-transform: uppercase; letter-spacing: .05em; color: var(--muted);
  margin: 1rem 0 .25rem; }
@media (max-width: 59.99rem) {
  nav { display: flex; flex-wrap: wrap; gap: .5rem 1.25rem; }
  nav h2 { margin: 0; padding: .5rem 0; }
  nav ul { display: none; }
}
article { background: var(--surface); border: 1px solid var(--line); border-radius: .75rem;
  padding: 1rem 1.25rem; margin: 0 0 1.25rem; }
article h3 { font-size: 1.05rem; margin: 0 0 .25rem; }
article h4 { font-size: .9rem; margin: 1rem 0 .25rem; color: var(--muted); }
article h3 a { color: inherit; text-decoration: none; }
article:target { border-color: var(--accent); }
.method { display: inline-block; min-width: 4.2em; font: 600 .8rem/1.6 ui-monospace, monospace;
  color: var(--on-accent); background: var(--accent); border-radius: .3rem; padding: 0 .5em;
  text-align: center; }
.method.delete { background: var(--bad); color: var(--surface); }
.path { font: .95rem ui-monospace, monospace; }
table { font-size: .9rem; }
td:first-child code { white-space: nowrap; }
@media (max-width: 40rem) {
  thead { display: none; }
  tr { display: block; padding: .4rem 0; border-bottom: 1px solid var(--line); }
  td { display: inline; padding: 0 .5rem 0 0; border: 0; }
  td:first-child code { white-space: normal; }
}
`;

/** The page `/docs`: the OpenAPI document in HTML, grouped by tag. */
export function docsPage(document: OpenApi): Promise<Response> {
  const schemas = createSchemas(document);
  const groups = byTag(document);
  return page({
    title: `${document.info.title} API`,
    width: 'wide',
    style: STYLE,
    headers: { 'Cache-Control': 'no-cache' },
    body: html`<header>
<h1>${document.info.title} API <small>${document.info.version}</small></h1>
<p>${document.info.description ?? ''} ·
<a href="/openapi.json">OpenAPI document</a> · <a href="/docs/errors">error codes</a></p>
</header>
<nav aria-label="Endpoints">
${groups.map(([tag, operations]) => contents(tag, operations))}
</nav>
<div>
${groups.map(
  ([tag, operations]) => html`<section aria-labelledby="${tagAnchor(tag)}">
<h2 id="${tagAnchor(tag)}">${title(tag)}</h2>
${operations.map((placed) => article(document, placed, schemas))}
</section>`,
)}
</div>`,
  });
}

/** Groups the operations by tag, in the order of the document's tags. */
function byTag(document: OpenApi): [string, Placed[]][] {
  const all = Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      return operation ? [{ method, path, anchor: anchorOf(method, path), operation }] : [];
    }),
  );
  const groups = Map.groupBy(all, ({ operation }) => operation.tags?.[0] ?? '');
  return (document.tags ?? []).flatMap(({ name }) => {
    const operations = groups.get(name);
    return operations ? [[name, operations]] : [];
  });
}

/** `get /files/{id}` as `get-files-id`. */
function anchorOf(method: string, path: string): string {
  return `${method}-${asAnchor(path)}`;
}

function tagAnchor(tag: string): string {
  return `tag-${asAnchor(tag)}`;
}

function asAnchor(text: string): string {
  return text.replace(/[^A-Za-z0-9]+/g, '-').replace(/^-|-$/g, '');
}

function title(tag: string): string {
  return tag.charAt(0).toUpperCase() + tag.slice(1);
}

function contents(tag: string, operations: readonly Placed[]): Html {
  return html`<h2><a href="#${tagAnchor(tag)}">${title(tag)}</a></h2>
<ul>${operations.map(
    ({ anchor, operation, path }) => html`<li><a href="#${anchor}">${operation.summary ?? path}</a></li>`,
  )}</ul>`;
}

function article(document: OpenApi, { method, path, anchor, operation }: Placed, schemas: Schemas): Html {
  return html`<article id="${anchor}">
<h3><a href="#${anchor}">${operation.summary ?? path}</a></h3>
<p><span class="method ${method}">${method.toUpperCase()}</span> <span class="path">${path}</span></p>
${operation.description && html`<p>${operation.description}</p>`}
<p class="muted">${requiredCredentials(operation)}</p>
${parameters(operation, schemas)}
${operation.requestBody && bodies('Body', operation.requestBody.content, schemas)}
<h4>Example</h4>
<pre tabindex="0"><code>${curlLine(document, method, path, operation, schemas)}</code></pre>
${responses(operation, schemas)}
</article>
`;
}

const CREDENTIALS: Record<string, string> = {
  session: 'a session cookie',
  bearer: 'a personal access token',
  basic: 'ClientId and ClientSecret as HTTP Basic credentials',
};

function requiredCredentials({ security = [] }: Operation): string {
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
  return html`<h4>Parameters</h4>${table(rows)}`;
}

function bodies(heading: string, content: Content, schemas: Schemas): Html[] {
  return Object.entries(content).map(([type, { schema = {} }]) => {
    const fields = schemas.fields(schema);
    const content = fields.length > 0 ? table(fields) : html`<p>${schemas.typeOf(schema)}</p>`;
    return html`<h4>${heading} <code>${type}</code></h4>${content}`;
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
    ([status, { description, content }]) => html`<h4>Response ${status}</h4>
<p>${withCode(description)}</p>${bodies('Body', content ?? {}, schemas)}`,
  )}
${
  errors.length > 0 &&
  html`<h4>Errors</h4>
<ul>${errors.map(([status, { description }]) => html`<li>${status}: ${codes(description)}</li>`)}</ul>`
}`;
}

/** Codes in backticks as links to their meaning. */
function codes(description: string): Html[] {
  return description
    .split(/`(\w+)`/)
    .map((text, index) =>
      index % 2 === 1 ? html`<a href="/docs/errors#${text}"><code>${text}</code></a>` : html`${text}`,
    );
}
