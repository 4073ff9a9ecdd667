import { z } from '@hono/zod-openapi';
import { anyone } from '../../kernel/http/auth.ts';
import type { App } from '../../kernel/http/context.ts';
import { htmlPage } from '../../kernel/http/describe.ts';
import { endpoint } from '../../kernel/http/endpoint.ts';
import { languageOf } from '../../kernel/http/language.ts';
import { FORGOT_PATH } from '../account-mails.ts';
import { emailField } from '../fields.ts';
import type { SessionGuard } from '../guard.ts';
import { forgotPage, requestedPage } from '../pages/forgot.ts';
import { withProblemPage } from '../pages/problem.ts';
import type { PasswordReset } from '../passwords/password-reset.ts';
import { pageForm } from './form.ts';

interface ForgotPasswordDeps {
  guard: SessionGuard;
  passwordReset: PasswordReset;
  /** False = e-mails go to the sandbox. */
  delivers: boolean;
}

const shared = { path: FORGOT_PATH, tags: ['login'] } as const;
const responses = { 200: htmlPage('A page.') };

/** The page for a forgotten password, where the server can send e-mails. */
export function mountForgotPassword(app: App, { guard, passwordReset, delivers }: ForgotPasswordDeps): void {
  endpoint(app, {
    ...shared,
    method: 'get',
    operation: 'showForgotPasswordPage',
    summary: 'Show the page to request a link to choose a password',
    auth: anyone,
    responses,
    handler: ({ c }) => forgotPage(languageOf(c)),
  });

  endpoint(app, {
    ...shared,
    method: 'post',
    operation: 'requestPasswordReset',
    summary: 'Request an e-mail with a link to choose a password',
    description: 'The response is the same whether or not an account has the address.',
    auth: guard.sameOrigin,
    body: pageForm(z.object({ email: emailField })),
    responses,
    problems: ['rate_limited'],
    handler: ({ c, body: { fields, texts } }) =>
      withProblemPage(c, async () => {
        if (!fields) return await forgotPage(languageOf(c), texts.email);
        passwordReset.request(fields.email, { address: c.env.address, language: languageOf(c) });
        return await requestedPage(languageOf(c), fields.email, delivers);
      }),
  });
}
