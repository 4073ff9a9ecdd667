import { BRAND, html, page } from '../../kernel/http/pages/page.ts';
import type { Language } from '../../kernel/language.ts';
import { textsOf } from './texts.ts';
import { FILL_ADDRESS } from './typed-address.ts';

const back = (language: Language) =>
  html`<p><a class="button quiet" href="/login">${textsOf(language).back}</a></p>`;

/** The form of a person who forgot the password. @param wrong submitted text that is not an e-mail address */
export function forgotPage(language: Language, wrong?: string): Promise<Response> {
  const texts = textsOf(language);
  const invalid = wrong === undefined ? '' : html` aria-invalid="true" aria-describedby="error"`;
  return page({
    language,
    title: texts.forgot,
    status: wrong === undefined ? 200 : 400,
    scripts: [FILL_ADDRESS],
    body: html`${BRAND}
<h1>${texts.forgot}</h1>
<p>${texts.forgotText}</p>
<form method="post">
<label for="email">${texts.email}</label>
<input id="email" name="email" type="email" autocomplete="username" inputmode="email" required autofocus
 value="${wrong ?? ''}"${invalid}>
${wrong === undefined ? '' : html`<p class="notice bad" role="alert" id="error">${texts.notAnEmail}</p>`}
<button>${texts.sendLink}</button>
</form>
${back(language)}`,
  });
}

/** The response to every address, whether or not an account has it. */
export function requestedPage(language: Language, email: string, delivers: boolean): Promise<Response> {
  const texts = textsOf(language);
  const [before, after] = texts.requested;
  return page({
    language,
    title: texts.checkMail,
    body: html`${BRAND}
<h1>${texts.checkMail}</h1>
<p>${before}<strong>${email}</strong>${after}</p>
<p class="muted">${delivers ? texts.mailTakesTime : texts.noMailYet}</p>
${back(language)}`,
  });
}
