import { BRAND, html, page } from '../../../kernel/http/pages/page.ts';
import type { Language } from '../../../kernel/language.ts';
import type { Shared } from '../../delivery/protected.ts';
import { NOT_INDEXED } from './dead-link.ts';
import { textsOf } from './texts.ts';

/** The response that a form is part of. */
export interface FormResponse {
  /** Error of the last attempt; null = first attempt. */
  complaint: string | null;
  status: number;
  headers: Readonly<Record<string, string>>;
}

interface LockedPage extends FormResponse {
  language: Language;
  what: Shared;
  needsAccessKey: boolean;
  needsPassword: boolean;
}

/** Renders the form for the secrets of a locked file or link, without any information about it. */
export function lockedPage({
  language,
  what,
  needsAccessKey,
  needsPassword,
  complaint,
  status,
  headers,
}: LockedPage): Promise<Response> {
  const texts = textsOf(language);
  const describedBy = complaint && html` aria-describedby="complaint"`;
  return page({
    language,
    title: texts.protectedTitle[what],
    status,
    headers: { ...NOT_INDEXED, ...headers },
    body: html`${BRAND}
      <h1>${texts.isProtected[what]}</h1>
      ${complaint ? html`<p class="notice bad" id="complaint" role="alert">${complaint}</p>` : ''}
      <form method="post">
        ${
          needsAccessKey
            ? html`<label for="accessKey">${texts.accessKey}</label>
        <input id="accessKey" name="accessKey" type="password" required
          autocomplete="off" autocapitalize="none" spellcheck="false" autofocus${describedBy}>`
            : ''
        }
        ${
          needsPassword
            ? html`<label for="filePassword">${texts.password}</label>
        <input id="filePassword" name="filePassword" type="password" autocomplete="off" required
          ${!needsAccessKey && html`autofocus`}${describedBy}>`
            : ''
        }
        <button>${texts.open[what]}</button>
      </form>`,
  });
}
