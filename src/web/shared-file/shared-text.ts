import type { TextFormat } from '../../text/text-format.ts';
import { describeBounds } from '../pages/files/preview/describe-bounds.ts';
import { MAX_LENGTH, renderText } from '../pages/files/preview/render-text.ts';
import { sanitized } from '../pages/files/preview/sanitize.ts';
import type { TableBounds } from '../pages/files/preview/table.ts';

/*
 * Formats a text on the public page of its file. The script of that page imports this module; the import rejects if the
 * text cannot be formatted.
 */

const shown = document.querySelector<HTMLElement>('.file pre[data-kind]');
const text = shown?.textContent ?? '';
const format = shown && formatOf(shown);
if (format && text.length <= MAX_LENGTH[format.kind]) shown.replaceWith(...(await formatted(text, format)));

function formatOf({ dataset: { kind, language = '' } }: HTMLElement): TextFormat | null {
  if (kind === 'markdown' || kind === 'table') return { kind };
  return kind === 'code' ? { kind, language } : null;
}

async function formatted(text: string, format: TextFormat): Promise<HTMLElement[]> {
  const rendered = await renderText(text, format, new AbortController().signal);
  if ('rows' in rendered)
    return [scrollable('div', 'text-table', tableOf(rendered.rows)), ...notesOf(rendered.bounds)];
  const nodes = sanitized(rendered.html);
  return [
    format.kind === 'code'
      ? scrollable('pre', 'highlighted', nodes)
      : scrollable('article', 'markdown', nodes),
  ];
}

function notesOf(bounds: TableBounds): HTMLElement[] {
  const text = describeBounds(bounds);
  if (text === null) return [];
  const note = document.createElement('p');
  note.className = 'muted';
  note.textContent = text;
  return [note];
}

function scrollable(name: 'div' | 'pre' | 'article', className: string, content: Node): HTMLElement {
  const element = document.createElement(name);
  element.className = className;
  element.tabIndex = 0;
  element.append(content);
  return element;
}

function tableOf([head = [], ...body]: readonly string[][]): HTMLTableElement {
  const table = document.createElement('table');
  const titles = table.createTHead().insertRow();
  for (const cell of head) {
    const title = document.createElement('th');
    title.textContent = cell;
    titles.append(title);
  }
  const rows = table.createTBody();
  for (const cells of body) {
    const row = rows.insertRow();
    for (const cell of cells) row.insertCell().textContent = cell;
  }
  return table;
}
