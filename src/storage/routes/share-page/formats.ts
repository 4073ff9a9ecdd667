import { isoTime } from '../../../kernel/clock.ts';
import { type Html, html } from '../../../kernel/http/pages/page.ts';
import type { Language } from '../../../kernel/language.ts';
import { readableType } from '../../../text/readable-type.ts';
import { textsOf } from './texts.ts';

/** Formats a media type, such as `video/mp4` as `MP4 video`. */
export const formatType = (mimeType: string, language: Language) =>
  readableType(mimeType, textsOf(language).typeNames);

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
