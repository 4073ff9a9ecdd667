import { BRAND, html, page } from '../../kernel/http/pages/page.ts';
import type { Language } from '../../kernel/language.ts';
import { LOGIN_PATH } from '../issuer/names.ts';
import { textsOf } from './texts.ts';

interface Welcome {
  language: Language;
  /** The path that the sign-in leads to. */
  returnTo: string;
  /** Whether the server has no administrator. */
  needsFirstAccount: boolean;
}

const WAIT = `
const look = async () => {
  const { needsFirstAccount = true } = await (await fetch('/api/welcome')).json();
  if (!needsFirstAccount) location.reload();
};
setInterval(() => look().catch(() => {}), 5000);
`;

/** Shown in place of the web app to visitors without a session: the sign-in, or how to create the first account. */
export function welcomePage({ language, returnTo, needsFirstAccount }: Welcome): Promise<Response> {
  const texts = textsOf(language);
  if (needsFirstAccount)
    return page({
      language,
      title: texts.finishSetup,
      scripts: [WAIT],
      policy: { 'connect-src': "'self'" },
      body: html`${BRAND}
<h1>${texts.finishSetup}</h1>
<p>${texts.finishSetupText}</p>`,
    });
  const signIn = `${LOGIN_PATH}?${new URLSearchParams({ returnTo })}`;
  return page({
    language,
    title: texts.welcome,
    body: html`${BRAND}
<h1>${texts.welcome}</h1>
<p class="muted">${texts.welcomeText}</p>
<p><a class="button" href="${signIn}">${texts.signIn}</a></p>`,
  });
}
