import { BRAND, html, page } from '../../kernel/http/page.ts';
import type { FieldError } from '../../kernel/problem.ts';
import type { LinkKind } from '../password-links.ts';
import { notePage } from './note.ts';

interface FormState {
  status?: number;
  errors?: readonly FieldError[];
  name?: string;
  email?: string;
}

/** The form that creates the first administrator. */
export function setupPage({ status, errors = [], name = '', email = '' }: FormState = {}) {
  const { described, notice } = explain(errors);
  return page({
    title: 'Create the administrator account',
    status,
    body: html`${BRAND}
<h1>Create the administrator account</h1>
<form method="post">
<label for="name">Name <span class="muted">(optional)</span></label>
<input id="name" name="name" autocomplete="name" maxlength="100" value="${name}"${described('name')}>
${notice('name')}
<label for="email">E-mail address</label>
<input id="email" name="email" type="email" autocomplete="username" inputmode="email" required
 value="${email}"${described('email')}>
${notice('email')}
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="new-password" minlength="8" required
${described('password')}>
${notice('password')}
<p class="muted">8 characters or more.</p>
<button>Create the account</button>
</form>`,
  });
}

/** The form to choose a password. */
export function passwordPage({ status, errors = [], email = '', kind }: FormState & { kind: LinkKind }) {
  const { described, notice } = explain(errors);
  return page({
    title: 'Choose a password',
    status,
    body: html`${BRAND}
<h1>Choose a password</h1>
<form method="post">
<label for="email">E-mail address</label>
<input id="email" name="email" type="email" autocomplete="username" value="${email}" readonly>
<label for="password">New password</label>
<input id="password" name="password" type="password" autocomplete="new-password" minlength="8" required autofocus
${described('password')}>
${notice('password')}
<p class="muted">8 characters or more.</p>
<button>${kind === 'reset' ? 'Set the password' : 'Set the password and sign in'}</button>
</form>`,
  });
}

/** After a reset: the person signs in with the new password. */
export function passwordSetPage(): Promise<Response> {
  return notePage({
    title: 'Password set',
    heading: 'Your password is set',
    status: 200,
    text: 'All sessions and access tokens of your account have ended.',
    next: ['/login', 'Sign in'],
  });
}

/** Returns the attributes of an invalid input, and the text below it. */
function explain(errors: readonly FieldError[]) {
  const messageOf = (field: string) => errors.find(({ path }) => path === field)?.message;
  return {
    described: (field: string) =>
      messageOf(field) && html` aria-invalid="true" aria-describedby="${field}-error"`,
    notice: (field: string) =>
      messageOf(field) &&
      html`<p class="notice bad" role="alert" id="${field}-error">${messageOf(field)}</p>`,
  };
}

/** For a link that is used, expired, replaced or unknown. @param text one paragraph */
export function invalidLinkPage(text: string): Promise<Response> {
  return notePage({ title: 'Invalid link', heading: 'This link is invalid', status: 404, text });
}
