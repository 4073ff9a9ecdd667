import { BRAND, html, page } from '../../kernel/http/page.ts';

const BACK = html`<p><a class="button quiet" href="/login">Back to sign-in</a></p>`;

/** The form of a person who forgot the password. @param wrong a text that is no e-mail address */
export function forgotPage(wrong?: string): Promise<Response> {
  const invalid = wrong === undefined ? '' : html` aria-invalid="true" aria-describedby="error"`;
  return page({
    title: 'Forgot your password?',
    status: wrong === undefined ? 200 : 400,
    body: html`${BRAND}
<h1>Forgot your password?</h1>
<p>Enter the e-mail address of your account. You will receive a link to choose a new password.</p>
<form method="post">
<label for="email">E-mail address</label>
<input id="email" name="email" type="email" autocomplete="username" inputmode="email" required autofocus
 value="${wrong ?? ''}"${invalid}>
${wrong === undefined ? '' : html`<p class="notice bad" role="alert" id="error">This is not an e-mail address.</p>`}
<button>Send the link</button>
</form>
${BACK}`,
  });
}

/** The answer to every address, whether or not an account has it. */
export function requestedPage(email: string, delivers: boolean): Promise<Response> {
  const note = delivers
    ? 'The mail can take a few minutes. Check your spam folder too.'
    : 'This server delivers no mails yet. Ask an administrator, who finds the mail among the messages.';
  return page({
    title: 'Check your mail',
    body: html`${BRAND}
<h1>Check your mail</h1>
<p>If an account has the address <strong>${email}</strong>, we have sent it a link to choose a new password. The link
expires in one hour.</p>
<p class="muted">${note}</p>
${BACK}`,
  });
}
