import { BRAND, html, page } from '../../kernel/http/pages/page.ts';
import type { Language } from '../../kernel/language.ts';
import { notePage } from './note.ts';
import { textsOf } from './texts.ts';
import { STORE_ADDRESS } from './typed-address.ts';

interface SignInState {
  language: Language;
  status?: number;
  /** Reason of the failed attempt. */
  error?: string;
  /** Value of the field. */
  email?: string;
  /** Path of the page for a forgotten password; null = the server sends no e-mails. */
  forgotPath: string | null;
  headers?: Readonly<Record<string, string>>;
  policy?: Readonly<Record<string, string>>;
}

/** The form of the embedded issuer. */
export function signInPage({ error, email = '', forgotPath, ...head }: SignInState): Promise<Response> {
  const texts = textsOf(head.language);
  return page({
    ...head,
    title: texts.signIn,
    scripts: forgotPath ? [STORE_ADDRESS] : [],
    body: html`${BRAND}
<h1>${texts.signIn}</h1>
${error ? html`<p class="notice bad" role="alert" id="error">${error}</p>` : ''}
<form method="post">
<label for="email">${texts.email}</label>
<input id="email" name="email" type="email" autocomplete="username" inputmode="email" required
 value="${email}"${autofocus(!email)}${describedBy(error)}>
<label for="password">${texts.password}</label>
<input id="password" name="password" type="password" autocomplete="current-password" required
${autofocus(email !== '')}${describedBy(error)}>
<button>${texts.signIn}</button>
</form>
${forgotPath ? html`<p class="muted"><a id="forgot" href="${forgotPath}">${texts.forgot}</a></p>` : ''}`,
  });
}

const autofocus = (here: boolean) => (here ? html` autofocus` : '');
const describedBy = (error: string | undefined) =>
  error ? html` aria-invalid="true" aria-describedby="error"` : '';

/** The page shown when a sign-in page was open for too long, or is from another browser. */
export function expiredPage(language: Language): Promise<Response> {
  const texts = textsOf(language);
  return notePage({
    language,
    title: texts.signInAgain,
    heading: texts.signInExpired,
    status: 400,
    text: texts.signInExpiredText,
    next: ['/login', texts.signIn],
  });
}

/** The page for a refused authorization request. @param code an OAuth error code */
export function issuerErrorPage(language: Language, code: string): Promise<Response> {
  const texts = textsOf(language);
  return notePage({
    language,
    title: texts.signInFailed,
    heading: texts.theSignInFailed,
    status: 400,
    text: texts.signInFailedText(code),
    next: ['/login', texts.tryAgain],
  });
}
