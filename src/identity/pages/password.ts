import { html, page } from '../../kernel/http/page.ts';

/** The form with which a person chooses a password. */
export function passwordPage({ email, status = 200, error }: { email: string; status?: number; error?: string }): Promise<Response> {
  return page({
    title: 'Choose a password',
    status,
    body: html`<h1>Choose a password</h1>
<form method="post">
<label for="email">E-mail address</label>
<input id="email" name="email" type="email" autocomplete="username" value="${email}" readonly>
<label for="password">New password</label>
<input id="password" name="password" type="password" autocomplete="new-password" minlength="8" required autofocus${error ? html` aria-invalid="true" aria-describedby="error"` : ''}>
${error ? html`<p class="notice bad" role="alert" id="error">The password ${error}.</p>` : html`<p class="muted">8 characters or more.</p>`}
<button>Keep it and sign in</button>
</form>`,
  });
}

/** The link was used, has run out, or never was. */
export function passwordLinkOverPage(): Promise<Response> {
  return page({
    title: 'This link is not valid',
    status: 404,
    body: html`<h1>This link is not valid</h1>
<p>It was used already, or it is more than seven days old. An administrator can make a new one.</p>
<p><a class="button" href="/">To the first page</a></p>`,
  });
}
