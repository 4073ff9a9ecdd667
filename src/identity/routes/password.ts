import { z } from '@hono/zod-openapi';
import type { Database } from '../../kernel/database/database.ts';
import type { App, Ctx } from '../../kernel/http/context.ts';
import { endpoint } from '../../kernel/http/endpoint.ts';
import { passwordField } from '../fields.ts';
import type { SessionGuard } from '../guard.ts';
import { passwordLinkOverPage, passwordPage } from '../pages/password.ts';
import type { PasswordLinks } from '../password-links.ts';
import type { People } from '../people.ts';
import { readForm } from './form.ts';

interface PasswordParts {
  database: Database;
  people: People;
  passwordLinks: PasswordLinks;
  guard: SessionGuard;
}

export const PASSWORD_PATH = '/password';

const tags = ['login'];
const tokenOf = (c: Ctx) => c.req.param('token') ?? '';

/** The page behind the link with which a person chooses a password. */
export function mountPassword(app: App, { database, people: { accounts, sessions }, passwordLinks, guard }: PasswordParts): void {
  endpoint(
    app,
    'get',
    `${PASSWORD_PATH}/{token}`,
    {
      summary: 'Page to choose a password',
      tags,
      answers: { 200: { description: 'A form.', schema: z.string(), mediaType: 'text/html' } },
      problems: ['not_found'],
    },
    async (c) => {
      const id = await passwordLinks.accountOf(tokenOf(c));
      const account = id && (await accounts.byId(id));
      return account ? await passwordPage({ email: account.email }) : await passwordLinkOverPage();
    },
  );

  endpoint(
    app,
    'post',
    `${PASSWORD_PATH}/{token}`,
    {
      summary: 'Choose a password',
      tags,
      body: { 'application/x-www-form-urlencoded': z.object({ password: z.string() }) },
      answers: { 303: { description: 'Done and signed in; to the first page.' } },
      problems: ['cross_site_request', 'not_found', 'invalid_request'],
    },
    async (c) => {
      guard.requireSameOrigin(c);
      const token = tokenOf(c);
      const id = await passwordLinks.accountOf(token);
      const account = id && (await accounts.byId(id));
      if (!account) return await passwordLinkOverPage();
      const { password } = await readForm(c, ['password']);
      const checked = passwordField.safeParse(password);
      if (!checked.success) return await passwordPage({ email: account.email, status: 400, error: checked.error.issues[0]?.message });
      const hash = await accounts.hashPassword(checked.data);
      const session = await database.transaction(async (trx) => {
        if ((await passwordLinks.accountOf(token, trx)) === null) return null;
        await accounts.setPassword(trx, account.id, hash);
        await accounts.noteSignIn(trx, account.id);
        return await sessions.begin(trx, { accountId: account.id, userAgent: c.req.header('User-Agent') ?? '' });
      });
      if (session === null) return await passwordLinkOverPage();
      guard.setCookie(c, session);
      return c.redirect('/', 303);
    },
  );
}
