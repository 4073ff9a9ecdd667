import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import cpp from 'highlight.js/lib/languages/cpp';
import csharp from 'highlight.js/lib/languages/csharp';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import go from 'highlight.js/lib/languages/go';
import ini from 'highlight.js/lib/languages/ini';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import kotlin from 'highlight.js/lib/languages/kotlin';
import php from 'highlight.js/lib/languages/php';
import python from 'highlight.js/lib/languages/python';
import ruby from 'highlight.js/lib/languages/ruby';
import rust from 'highlight.js/lib/languages/rust';
import sql from 'highlight.js/lib/languages/sql';
import swift from 'highlight.js/lib/languages/swift';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import type { MarkedExtension } from 'marked';
import type { TextFormat } from '../../../../text/text-format.ts';
import { renderMarkdown } from './footnotes.ts';
import { parseTable, type Table } from './table.ts';

/** Rendered text: HTML that is not sanitized, or a table. */
export type RenderedText = { html: string } | Table;

/** Each word of code can become an element of the page. */
const MAX_HIGHLIGHTED = 100_000;

const LANGUAGES = {
  bash,
  cpp,
  csharp,
  css,
  diff,
  go,
  ini,
  java,
  javascript,
  json,
  kotlin,
  php,
  python,
  ruby,
  rust,
  sql,
  swift,
  typescript,
  xml,
  yaml,
};
for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language);

const MARKDOWN: MarkedExtension = {
  gfm: true,
  renderer: {
    // Loading a picture from another server would reveal the reader to it.
    image: ({ text }) => escapeHtml(text),
    // A character, since the sanitizer removes form controls.
    checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
    code: ({ text, lang }) => highlighted(text, lang),
  },
};

/** Characters of code in a document that may still be highlighted. */
let remaining = MAX_HIGHLIGHTED;

/** Renders code of a document. Returns false for code that is shown as it is. */
function highlighted(code: string, info: string | undefined): string | false {
  // CommonMark 0.31 §4.5: the first word of the info string is the language.
  const [language = ''] = (info ?? '').split(/\s/, 1);
  if (!hljs.getLanguage(language) || code.length > remaining) return false;
  remaining -= code.length;
  return `<pre><code>${hljs.highlight(code, { language }).value}</code></pre>`;
}

function render(text: string, format: TextFormat): RenderedText {
  switch (format.kind) {
    case 'markdown':
      remaining = MAX_HIGHLIGHTED;
      return { html: renderMarkdown(text, MARKDOWN) };
    case 'code':
      return { html: hljs.highlight(text, { language: format.language }).value };
    case 'table':
      return parseTable(text);
  }
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '');

self.addEventListener('message', ({ data }: MessageEvent<{ text: string; format: TextFormat }>) => {
  self.postMessage(render(data.text, data.format));
});
