import { type Html, html } from '../../kernel/http/pages/page.ts';
import type { OpenApi } from '../openapi-types.ts';
import { operationList } from './page.ts';
import type { Subject } from './places.ts';

/** The first page: base address, credentials, conventions, and every operation. */
export function introductionBody({ info, servers }: OpenApi, subjects: readonly Subject[]): Html {
  const base = servers?.[0]?.url ?? '';
  return html`<h1>${info.title} API <small>${info.version}</small></h1>
<p>${info.description ?? ''}. The API uses HTTP and JSON; uploads and contact forms also accept the media
types of HTML forms.</p>
<ul>
<li><a href="/openapi.json">OpenAPI document</a>, for tools that generate clients</li>
<li><a href="/docs/errors">Error codes</a>, with a remedy for each</li>
</ul>
<h2 id="base-address">Base address</h2>
<pre tabindex="0"><code>${base}</code></pre>
<p>Paths match in any letter case, with or without a slash at the end. In the examples, names in capitals after
<code>$</code> are variables of the shell to set first.</p>
<h2 id="authentication">Authentication</h2>
<div class="scroll"><table><thead><tr><th>Service</th><th>Credentials</th></tr></thead><tbody>
<tr><td>Storage, accounts</td><td>A personal access token, created in the web app under Account, with the scope
<code>read</code> or <code>write</code>: <code>Authorization: Bearer $TOKEN</code>. The web app itself uses a
session cookie.</td></tr>
<tr><td>Shared files</td><td>None, or those that the owner has set: an access key, a password.</td></tr>
<tr><td>Mail</td><td><code>ClientId</code> and <code>ClientSecret</code> of a client, in the body. An administrator
creates clients. The status of a message requires them as HTTP Basic credentials.</td></tr>
<tr><td>Chat</td><td>The name of a client in the body, and <code>X-Relay-Key</code> if the client requires it.</td></tr>
<tr><td>Administration</td><td>The session of an administrator.</td></tr>
</tbody></table></div>
<pre tabindex="0"><code>curl "${base}/api/storage/files/root" \\
  -H "Authorization: Bearer $TOKEN" -F file=@photo.jpg</code></pre>
<h2 id="conventions">Conventions</h2>
<ul>
<li>Names of fields match without regard to case. <code>null</code>, <code>""</code> and <code>[]</code> mean that an
optional field is absent. Ignored fields are named in <code>Posthouse-Ignored-Fields</code>, and refused with
<code>Prefer: handling=strict</code>.</li>
<li>An error is <code>application/problem+json</code> with a <code>code</code>, a sentence in <code>detail</code>, and
the invalid fields in <code>errors</code>. The log of the server has it under <code>requestId</code>.</li>
<li>429 and 503 have <code>Retry-After</code> in seconds.</li>
<li>Messages: with <code>Idempotency-Key</code>, a request can be repeated for 24 hours without sending twice; with
<code>Prefer: respond-async</code>, the response comes as soon as the message is stored.</li>
<li>Lists have a <code>Link</code> to their next page. Times are UTC (RFC 3339), ids are UUIDs, sizes are bytes.</li>
</ul>
<h2 id="operations">All operations</h2>
${subjects.map(({ name, sections }) =>
  sections.map(
    (section) => html`<h3>${name}: <a href="${section.href}">${section.title}</a></h3>
${operationList(section.operations, true)}`,
  ),
)}`;
}
