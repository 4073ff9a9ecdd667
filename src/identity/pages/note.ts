import { BRAND, html, page } from '../../kernel/http/page.ts';

interface Note {
  title: string;
  /** Default: the title. */
  heading?: string;
  status: number;
  /** One paragraph. */
  text: string;
  /** Target and label of the button. */
  next?: readonly [href: string, label: string];
}

/** A page of one paragraph and one button. */
export function notePage({ title, heading = title, status, text, next }: Note): Promise<Response> {
  const [href, label] = next ?? ['/', 'Go to the start page'];
  const body = html`${BRAND}
<h1>${heading}</h1>
<p>${text}</p>
<p><a class="button" href="${href}">${label}</a></p>`;
  return page({ title, status, body });
}
