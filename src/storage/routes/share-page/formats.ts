import { isoTime } from '../../../kernel/clock.ts';
import { type Html, html } from '../../../kernel/http/page.ts';
import type { Language } from '../../../kernel/language.ts';
import { textsOf } from './texts.ts';

/** Formats a media type, such as `video/mp4` as `MP4 video`. */
export function readableType(mimeType: string, language: Language): string {
  const { types, typeOf } = textsOf(language);
  const [family = '', subtype = ''] = mimeType.split('/');
  const kind = subtype.replace(/^(x-|vnd\.)|\+.*$/g, '').toUpperCase();
  return types[mimeType] ?? (family === 'application' ? kind : typeOf(kind, family));
}

/** Formats the day of a time. @param milliseconds since the Unix epoch */
export function time(milliseconds: number, language: Language): Html {
  const date = new Date(milliseconds).toLocaleDateString(textsOf(language).locale, {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
  return html`<time datetime="${isoTime(milliseconds)}">${date}</time>`;
}
