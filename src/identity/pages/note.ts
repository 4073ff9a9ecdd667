import { BRAND, html, page } from '../../kernel/http/pages/page.ts';
import type { Language } from '../../kernel/language.ts';
import { textsOf } from './texts.ts';

interface Note {
  language: Language;
  title: string;
  heading: string;
  status: number;
  /** One paragraph. */
  text: string;
  /** Target and label of the button. */
  next?: readonly [href: string, label: string];
}

/** A page of one paragraph and one button. */
export function notePage({ language, title, heading, status, text, next }: Note): Promise<Response> {
  const [href, label] = next ?? ['/', textsOf(language).startPage];
  const body = html`${BRAND}
<h1>${heading}</h1>
<p>${text}</p>
<p><a class="button" href="${href}">${label}</a></p>`;
  return page({ language, title, status, body });
}
