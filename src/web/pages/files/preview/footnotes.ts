import { Marked, type MarkedExtension, type Token, type Tokens } from 'marked';
import { FOOTNOTE, FOOTNOTES } from './footnote-classes.ts';

/** A definition such as `[^1]: Text`, with further paragraphs that are indented by four spaces. */
const DEFINITION = /^ {0,3}\[\^([^\]\s]{1,100})\]:[ \t]*/;
const REFERENCE = /^\[\^([^\]\s]{1,100})\]/;
const INDENTED = /^(?: {4}|\t)/;
/** Lines that end the paragraph of a definition. */
const BLOCK = /^ {0,3}(?:\[\^|#{1,6}\s|[>|<]|[-*+]\s|\d{1,9}[.)]\s|```|~~~)/;
const BLANK = /^\s*$/;

/**
 * Renders Markdown with footnotes in GitHub's syntax, as numbers in the text and a list at its end. A reference without
 * a definition stays text.
 */
export function renderMarkdown(text: string, options: MarkedExtension): string {
  const notes = new Map<string, Token[]>();
  const numbers = new Map<string, number>();
  const numberOf = (label: string) => {
    if (!notes.has(label)) return null;
    const number = numbers.get(label) ?? numbers.size + 1;
    numbers.set(label, number);
    return number;
  };
  const markdown = new Marked(options, { extensions: [definitions(notes), references(numberOf)] });
  const body = markdown.parser(markdown.lexer(text));
  let list = '';
  // A footnote can cite further ones.
  for (const label of numbers.keys()) list += `<li>${markdown.parser(notes.get(label) ?? [])}</li>`;
  return list ? `${body}<hr><ol class="${FOOTNOTES}">${list}</ol>` : body;
}

type Extension = NonNullable<MarkedExtension['extensions']>[number];

function definitions(notes: Map<string, Token[]>): Extension {
  return {
    name: 'footnoteDefinition',
    level: 'block',
    tokenizer(source): Tokens.Generic | undefined {
      const [head, label] = DEFINITION.exec(source) ?? [];
      if (head === undefined || label === undefined) return undefined;
      const raw = source.slice(0, endOfDefinition(source));
      const content = raw.slice(head.length).replaceAll(/^(?: {4}|\t)/gm, '');
      // As with link definitions, the first definition of a label applies.
      if (!notes.has(label)) notes.set(label, this.lexer.blockTokens(content, []));
      return { type: 'footnoteDefinition', raw };
    },
    renderer: () => '',
  };
}

function references(numberOf: (label: string) => number | null): Extension {
  return {
    name: 'footnoteReference',
    level: 'inline',
    tokenizer(source): Tokens.Generic | undefined {
      const [raw, label] = REFERENCE.exec(source) ?? [];
      return raw === undefined ? undefined : { type: 'footnoteReference', raw, label };
    },
    renderer({ raw, label }) {
      const number = numberOf(String(label));
      return number === null ? escaped(raw) : `<sup class="${FOOTNOTE}">${number}</sup>`;
    },
  };
}

/** Returns the position after the last line of the definition at the beginning of a text. */
function endOfDefinition(source: string): number {
  let end = 0;
  let at = 0;
  let isParagraph = true;
  while (at < source.length) {
    const newline = source.indexOf('\n', at);
    const next = newline < 0 ? source.length : newline + 1;
    const line = source.slice(at, next);
    if (BLANK.test(line)) isParagraph = false;
    else if (at === 0 || INDENTED.test(line) || (isParagraph && !BLOCK.test(line))) {
      end = next;
      isParagraph = true;
    } else break;
    at = next;
  }
  return end;
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
