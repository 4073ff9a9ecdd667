import { html, page } from '../../kernel/http/page.ts';

interface SignInState {
  status?: number;
  /** Why the last attempt failed. */
  error?: string;
  /** What was typed. */
  email?: string;
  headers?: Readonly<Record<string, string>>;
}

/** The sign and the name of the product, as the web app has them. */
const BRAND = html`<p class="brand"><svg width="32" height="32" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#2456c8"/><path d="M7 10.5h18v12H7zM7.5 11l8.5 7 8.5-7" fill="none" stroke="#fff" stroke-width="2.2" stroke-linejoin="round"/></svg> Posthouse</p>`;
const BRAND_STYLE =
  '.brand { display: flex; align-items: center; gap: .6rem; margin-bottom: 1.25rem; font-size: 1.125rem; font-weight: 650; }';

/** The embedded issuer's one form. */
export function signInPage({ status = 200, error, email = '', headers }: SignInState = {}): Promise<Response> {
  return page({
    title: 'Sign in',
    status,
    headers,
    style: BRAND_STYLE,
    body: html`${BRAND}
<h1>Sign in</h1>
${error ? html`<p class="notice bad" role="alert" id="error">${error}</p>` : ''}
<form method="post">
<label for="email">E-mail address</label>
<input id="email" name="email" type="email" autocomplete="username" inputmode="email" required${autofocus(!email)} value="${email}"${describedBy(error)}>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required${autofocus(email !== '')}${describedBy(error)}>
<button>Sign in</button>
</form>`,
  });
}

const autofocus = (here: boolean) => (here ? html` autofocus` : '');
const describedBy = (error: string | undefined) => (error ? html` aria-invalid="true" aria-describedby="error"` : '');

/** The sign-in page was open for too long, or belongs to another browser. */
export function expiredPage(): Promise<Response> {
  return page({
    title: 'Sign in again',
    status: 400,
    body: html`<h1>This sign-in has expired</h1>
<p>It was begun too long ago, in another browser, or it is finished already.</p>
<p><a class="button" href="/login">Sign in</a></p>`,
  });
}

/** The embedded issuer refused a request that did not come from our own login. @param code an OAuth error code */
export function issuerErrorPage(code: string): Promise<Response> {
  return page({
    title: 'Sign-in failed',
    status: 400,
    body: html`<h1>The sign-in failed</h1>
<p>The request for it was not valid, or it has expired (${code}).</p>
<p><a class="button" href="/login">Try again</a></p>`,
  });
}
