import { BRAND, html, page } from '../../kernel/http/page.ts';
import { notePage } from './note.ts';

interface SignInState {
  status?: number;
  /** Reason of the failed attempt. */
  error?: string;
  /** Value of the field. */
  email?: string;
  /** Path of the page for a forgotten password; null = the server sends no mails. */
  forgotPath: string | null;
  headers?: Readonly<Record<string, string>>;
  policy?: Readonly<Record<string, string>>;
}

/** The form of the embedded issuer. */
export function signInPage({ error, email = '', forgotPath, ...head }: SignInState): Promise<Response> {
  return page({
    ...head,
    title: 'Sign in',
    body: html`${BRAND}
<h1>Sign in</h1>
${error ? html`<p class="notice bad" role="alert" id="error">${error}</p>` : ''}
<form method="post">
<label for="email">E-mail address</label>
<input id="email" name="email" type="email" autocomplete="username" inputmode="email" required
 value="${email}"${autofocus(!email)}${describedBy(error)}>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required
${autofocus(email !== '')}${describedBy(error)}>
<button>Sign in</button>
</form>
${forgotPath ? html`<p class="muted"><a href="${forgotPath}">Forgot your password?</a></p>` : ''}`,
  });
}

const autofocus = (here: boolean) => (here ? html` autofocus` : '');
const describedBy = (error: string | undefined) =>
  error ? html` aria-invalid="true" aria-describedby="error"` : '';

/** For a sign-in page that was open for too long, or is from another browser. */
export function expiredPage(): Promise<Response> {
  return notePage({
    title: 'Sign in again',
    heading: 'This sign-in has expired',
    status: 400,
    text: 'It started too long ago or in another browser, or it is already complete.',
    next: ['/login', 'Sign in'],
  });
}

/** For a refused authorization request. @param code an OAuth error code */
export function issuerErrorPage(code: string): Promise<Response> {
  return notePage({
    title: 'Sign-in failed',
    heading: 'The sign-in failed',
    status: 400,
    text: `The request was invalid, or it has expired (${code}).`,
    next: ['/login', 'Try again'],
  });
}
