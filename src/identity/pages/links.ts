import { BRAND, html, page } from '../../kernel/http/pages/page.ts';
import type { Language } from '../../kernel/language.ts';
import type { FieldError } from '../../kernel/problem.ts';
import type { LinkKind } from '../passwords/password-links.ts';
import { notePage } from './note.ts';
import { textsOf } from './texts.ts';

interface FormState {
  status?: number;
  errors?: readonly FieldError[];
  name?: string;
  email?: string;
}

/** The form that creates the first administrator. */
export function setupPage(
  language: Language,
  { status, errors = [], name = '', email = '' }: FormState = {},
) {
  const texts = textsOf(language);
  const { described, notice } = explain(language, errors);
  return page({
    language,
    title: texts.setup,
    status,
    body: html`${BRAND}
<h1>${texts.setup}</h1>
<form method="post">
<label for="name">${texts.name} <span class="muted">${texts.optional}</span></label>
<input id="name" name="name" autocomplete="name" maxlength="100" value="${name}"${described('name')}>
${notice('name')}
<label for="email">${texts.email}</label>
<input id="email" name="email" type="email" autocomplete="username" inputmode="email" required
 value="${email}"${described('email')}>
${notice('email')}
<label for="password">${texts.password}</label>
<input id="password" name="password" type="password" autocomplete="new-password" minlength="8" required
${described('password')}>
${notice('password')}
<p class="muted">${texts.passwordHint}</p>
<button>${texts.createAccount}</button>
</form>`,
  });
}

/** The form to choose a password. */
export function passwordPage(
  language: Language,
  { status, errors = [], email = '', kind }: FormState & { kind: LinkKind },
) {
  const texts = textsOf(language);
  const { described, notice } = explain(language, errors);
  return page({
    language,
    title: texts.choosePassword,
    status,
    body: html`${BRAND}
<h1>${texts.choosePassword}</h1>
<form method="post">
<label for="email">${texts.email}</label>
<input id="email" name="email" type="email" autocomplete="username" value="${email}" readonly>
<label for="password">${texts.newPassword}</label>
<input id="password" name="password" type="password" autocomplete="new-password" minlength="8" required autofocus
${described('password')}>
${notice('password')}
<p class="muted">${texts.passwordHint}</p>
<button>${kind === 'reset' ? texts.setPassword : texts.setPasswordAndSignIn}</button>
</form>`,
  });
}

/** The page after a reset: the person signs in with the new password. */
export function passwordSetPage(language: Language): Promise<Response> {
  const texts = textsOf(language);
  return notePage({
    language,
    title: texts.passwordSet,
    heading: texts.yourPasswordIsSet,
    status: 200,
    text: texts.passwordSetText,
    next: ['/login', texts.signIn],
  });
}

/** Returns functions that render the attributes of an invalid input and the text below it. */
function explain(language: Language, errors: readonly FieldError[]) {
  const messageOf = (field: string) => {
    const message = errors.find(({ path }) => path === field)?.message;
    return message && (textsOf(language).fields[field] ?? message);
  };
  return {
    described: (field: string) =>
      messageOf(field) && html` aria-invalid="true" aria-describedby="${field}-error"`,
    notice: (field: string) =>
      messageOf(field) &&
      html`<p class="notice bad" role="alert" id="${field}-error">${messageOf(field)}</p>`,
  };
}

/** The page for a link that is used, expired, replaced or unknown. */
export function invalidLinkPage(language: Language, kind: 'setup' | 'password'): Promise<Response> {
  const texts = textsOf(language);
  return notePage({
    language,
    title: texts.invalidLink,
    heading: texts.thisLinkIsInvalid,
    status: 404,
    text: kind === 'setup' ? texts.invalidSetupLink : texts.invalidPasswordLink,
  });
}
