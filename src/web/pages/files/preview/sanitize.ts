import DOMPurify from 'dompurify';
import { FOOTNOTE, FOOTNOTES } from './footnote-classes.ts';
import { texts } from './texts.ts';

/** The elements that are kept; all others are removed. */
const TAGS = [
  ...[
    'h1',
    'h2',
    'h3',
    'h4',
    'h5',
    'h6',
    'p',
    'br',
    'hr',
    'ul',
    'ol',
    'li',
    'blockquote',
    'pre',
    'code',
    'kbd',
  ],
  ...['em', 'strong', 'del', 'sub', 'sup', 'a', 'table', 'thead', 'tbody', 'tr', 'th', 'td', 'span'],
];

/** Maximum length of table cells that do not wrap, such as dates and amounts. */
const MAX_LINE = 20;

/** Returns the nodes of a rendered text, without scripts, styles and pictures. Links open in another tab. */
export function sanitized(html: string): DocumentFragment {
  const fragment = DOMPurify.sanitize(html, {
    ALLOWED_TAGS: TAGS,
    ALLOWED_ATTR: ['href', 'start', 'align', 'class'],
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    // The other attributes must match the expression, even if they hold no address.
    ADD_URI_SAFE_ATTR: ['start', 'align'],
    ALLOWED_URI_REGEXP: /^(?:https?|mailto):/i,
    RETURN_DOM_FRAGMENT: true,
  });
  linkFootnotes(fragment);
  for (const element of fragment.querySelectorAll('[class]')) {
    // With classes of the app, a text could look like a part of it.
    const own = [...element.classList].filter((name) => name.startsWith('hljs-') || name === FOOTNOTE);
    element.className = own.join(' ');
  }
  for (const link of fragment.querySelectorAll('a')) {
    if (!link.hasAttribute('href')) link.replaceWith(...link.childNodes);
    link.target = '_blank';
    link.rel = 'noopener noreferrer nofollow';
  }
  for (const item of fragment.querySelectorAll('ul > li'))
    if (/^\s*[☑☐] /.test(item.textContent ?? '')) item.classList.add('task');
  fragment.querySelectorAll('table').forEach(addScroller);
  for (const cell of fragment.querySelectorAll('th, td'))
    if ((cell.textContent ?? '').length <= MAX_LINE) cell.classList.add('one-line');
  return fragment;
}

/** Adds buttons that scroll between a number in the text and its footnote: links would need ids, which are removed. */
function linkFootnotes(fragment: DocumentFragment): void {
  const list = [...fragment.querySelectorAll(`ol.${FOOTNOTES}`)].at(-1);
  if (!list) return;
  list.ariaLabel = texts.footnotes;
  const ends = new Map<Element, HTMLElement>();
  for (const reference of fragment.querySelectorAll(`sup.${FOOTNOTE}`)) {
    const number = Number(reference.textContent);
    const note = list.children[number - 1];
    if (!note || reference.closest('a')) continue;
    const button = createButton(String(number), texts.footnote(number));
    reference.replaceChildren(button);
    const end = ends.get(note) ?? addReturn(note, button);
    ends.set(note, end);
    button.addEventListener('click', () => moveTo(end));
  }
}

/** Adds a button to a footnote that moves to its first number in the text. */
function addReturn(note: Element, first: HTMLElement): HTMLElement {
  const back = createButton('↩', texts.backToText);
  back.addEventListener('click', () => moveTo(first));
  const last = note.lastElementChild;
  (last?.matches('p') ? last : note).append(' ', back);
  return back;
}

function createButton(text: string, label: string): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = FOOTNOTE;
  button.textContent = text;
  button.ariaLabel = label;
  return button;
}

function moveTo(element: HTMLElement): void {
  element.focus({ preventScroll: true });
  element.scrollIntoView({ block: 'center' });
}

/** Makes a wide table scroll horizontally in its own box, also by keyboard. */
function addScroller(table: HTMLTableElement): void {
  const scroller = document.createElement('div');
  scroller.className = 'markdown-table';
  scroller.tabIndex = 0;
  scroller.role = 'group';
  scroller.ariaLabel = texts.table;
  table.replaceWith(scroller);
  scroller.append(table);
}
