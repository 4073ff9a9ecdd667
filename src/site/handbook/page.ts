import { BRAND, type Html, html, page } from '../../kernel/http/pages/page.ts';
import type { Language } from '../../kernel/language.ts';
import type { Placed, Subject } from './places.ts';
import { textsOf } from './texts.ts';

const STYLE = `
main.wide { display: grid; gap: 1rem 2.5rem; grid-template-columns: minmax(0, 1fr); }
@media (min-width: 60rem) {
  main.wide { max-width: 80rem; grid-template-columns: 15rem minmax(0, 1fr); align-items: start; }
  aside { position: sticky; top: 0; max-height: 100vh; overflow-y: auto; padding: .25rem .25rem 1rem; margin: 0; }
}
.home { display: block; color: inherit; text-decoration: none; }
aside form { display: flex; gap: .5rem; margin: 0 0 .75rem; }
td:first-child { min-width: 8em; }
aside button { margin: 0; white-space: nowrap; }
aside input[type=search] { min-width: 0; }
aside h2 { font-size: .8rem; text-transform: uppercase; letter-spacing: .05em; color: var(--muted);
  margin: .75rem 0 .25rem; }
aside ul { list-style: none; margin: 0; padding: 0; }
aside li a { display: block; padding: .25rem .5rem; border-radius: .375rem; text-decoration: none; }
aside [aria-current] { background: var(--code); color: var(--ink); font-weight: 600; }
@media (max-width: 59.99rem) {
  aside { display: contents; }
  aside nav { order: 1; }
}
@media (pointer: coarse) { aside li a { padding-block: .65rem; } }
@media (min-width: 60rem) { .to-contents { display: none; } }
.visually-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
section:target { outline: 2px solid var(--accent); outline-offset: .5rem; border-radius: .25rem; }
.operations { list-style: none; padding: 0; }
.operations li { padding: .35rem 0; border-bottom: 1px solid var(--line); }
.operations li:target { outline: 2px solid var(--accent); }
.operations .path { color: var(--muted); font-size: .85rem; }
article { background: var(--surface); border: 1px solid var(--line); border-radius: .75rem;
  padding: 1rem 1.25rem; margin: 0 0 1.25rem; }
article h2 { font-size: 1.05rem; margin: 0 0 .25rem; }
article h3 { font-size: .9rem; margin: 1rem 0 .25rem; color: var(--muted); }
article h2 a { color: inherit; text-decoration: none; }
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

interface HandbookPage {
  /** Language of the texts around the body. */
  language: Language;
  title: string;
  subjects: readonly Subject[];
  href: string;
  /** In English, except `heading`. */
  body: Html;
  /** Precedes the body; in `language`. */
  heading?: Html;
  /** The words that were searched for. */
  query?: string;
  headers?: Readonly<Record<string, string>>;
}

/** Returns a page of the documentation, with the contents and the search field at its side. */
export function handbookPage(shown: HandbookPage): Promise<Response> {
  const { language, title, href, body, heading, query = '', headers } = shown;
  const texts = textsOf(language);
  return page({
    language,
    title,
    width: 'wide',
    style: STYLE,
    headers: headers ?? { 'Cache-Control': 'no-cache' },
    body: html`<aside>
<a class="home" href="/">${BRAND}</a>
<form role="search" action="/docs">
<label for="q" class="visually-hidden">${texts.searchApi}</label>
<input id="q" name="q" type="search" placeholder="${texts.search}" value="${query}" maxlength="100">
<button>${texts.search}</button>
</form>
<a class="to-contents" href="#contents">${texts.contents}</a>
<nav id="contents" aria-label="${texts.documentation}">
<ul>${link('/docs', texts.introduction, href)}${link('/docs/errors', texts.errorCodes, href)}</ul>
${contents(shown)}
</nav>
</aside>
<div class="text">
${texts.englishOnly !== null && html`<p class="notice">${texts.englishOnly}</p>`}
${heading}
<div lang="en">
${body}
</div>
</div>`,
  });
}

function contents({ language, subjects, href }: HandbookPage): Html[] {
  const { title } = textsOf(language);
  return subjects.map(
    ({ name, sections }) => html`<h2>${title(name)}</h2>
<ul>${sections.map((section) => link(section.href, title(section.title), href))}</ul>`,
  );
}

function link(to: string, label: string, here: string): Html {
  return html`<li><a href="${to}"${to === here && html` aria-current="page"`}>${label}</a></li>`;
}

/** Renders links to operations. @param anchors true = with ids, so that links with anchors to this page work */
export function operationList(operations: readonly Placed[], anchors = false): Html {
  return html`<ul class="operations">${operations.map(
    ({ anchor, href, method, path, operation }) => html`<li${anchors && html` id="${anchor}"`}>
<a href="${href}">${operation.summary ?? path}</a><br>
<span class="path">${method.toUpperCase()} ${path}</span></li>`,
  )}</ul>`;
}
