import { html, page } from '../../kernel/http/page.ts';
import type { FieldError } from '../../kernel/http/problem.ts';

interface SetupState {
  status?: number;
  errors?: readonly FieldError[];
  name?: string;
  email?: string;
}

/** The form that makes the first administrator. */
export function setupPage({ status = 200, errors = [], name = '', email = '' }: SetupState = {}): Promise<Response> {
  const error = (field: string) => errors.find(({ path }) => path === field)?.message;
  const described = (field: string) => (error(field) ? html` aria-invalid="true" aria-describedby="${field}-error"` : '');
  const told = (field: string) => (error(field) ? html`<p class="notice bad" role="alert" id="${field}-error">${error(field)}</p>` : '');
  return page({
    title: 'Make the administrator account',
    status,
    body: html`<h1>Make the administrator account</h1>
<form method="post">
<label for="name">Name <span class="muted">(optional)</span></label>
<input id="name" name="name" autocomplete="name" maxlength="100" value="${name}"${described('name')}>${told('name')}
<label for="email">E-mail address</label>
<input id="email" name="email" type="email" autocomplete="username" inputmode="email" required value="${email}"${described('email')}>${told('email')}
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="new-password" minlength="8" required${described('password')}>${told('password')}
<p class="muted">8 characters or more.</p>
<button>Make the account</button>
</form>`,
  });
}

/** The link was used, has been replaced by a newer one, or never was. */
export function setupOverPage(): Promise<Response> {
  return page({
    title: 'This link is not valid',
    status: 404,
    body: html`<h1>This link is not valid</h1>
<p>It was used already, or the server has printed a newer one in the terminal since.</p>
<p><a class="button" href="/">To the first page</a></p>`,
  });
}
