import { z } from '@hono/zod-openapi';
import type { Database } from '../../kernel/database/database.ts';
import { checked } from '../../kernel/http/body.ts';
import type { App, Ctx } from '../../kernel/http/context.ts';
import { endpoint } from '../../kernel/http/endpoint.ts';
import { Problem } from '../../kernel/http/problem.ts';
import type { Accounts } from '../accounts.ts';
import { emailField, optionalNameField, passwordField } from '../fields.ts';
import type { SessionGuard } from '../guard.ts';
import { setupOverPage, setupPage } from '../pages/setup.ts';
import type { Sessions } from '../sessions.ts';
import type { SetupLink } from '../setup-link.ts';
import { readForm } from './form.ts';

interface SetupParts {
  database: Database;
  accounts: Accounts;
  sessions: Sessions;
  setupLink: SetupLink;
  guard: SessionGuard;
}

export const SETUP_PATH = '/setup';

const formSchema = z.object({ name: optionalNameField, email: emailField, password: passwordField });

const tags = ['login'];
const tokenOf = (c: Ctx) => c.req.param('token') ?? '';

/** The page behind the one-time link that the terminal shows. */
export function mountSetup(app: App, { database, accounts, sessions, setupLink, guard }: SetupParts): void {
  endpoint(
    app,
    'get',
    `${SETUP_PATH}/{token}`,
    {
      summary: 'Page that makes the first administrator',
      tags,
      answers: { 200: { description: 'A form.', schema: z.string(), mediaType: 'text/html' } },
      problems: ['not_found'],
    },
    async (c) => ((await setupLink.isValid(tokenOf(c))) ? await setupPage() : await setupOverPage()),
  );

  endpoint(
    app,
    'post',
    `${SETUP_PATH}/{token}`,
    {
      summary: 'Make the first administrator',
      tags,
      body: { 'application/x-www-form-urlencoded': z.object({ name: z.string().optional(), email: z.string(), password: z.string() }) },
      answers: { 303: { description: 'Done and signed in; to the first page.' } },
      problems: ['cross_site_request', 'not_found', 'invalid_request'],
    },
    async (c) => {
      guard.requireSameOrigin(c);
      const token = tokenOf(c);
      // Before the password is hashed, which is work.
      if (!(await setupLink.isValid(token))) return await setupOverPage();
      const form = await readForm(c, ['name', 'email', 'password']);
      let fields: z.infer<typeof formSchema>;
      try {
        fields = checked(formSchema, form);
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        return await setupPage({ status: 400, errors: error.errors ?? [], name: form.name, email: form.email });
      }
      const { email, name } = fields;
      const passwordHash = await accounts.hashPassword(fields.password);
      let session: string | null;
      try {
        session = await database.transaction(async (trx) => {
          if (!(await setupLink.use(trx, token))) return null;
          const account = await accounts.make(trx, { email, name, role: 'admin', passwordHash });
          await accounts.noteSignIn(trx, account.id);
          return await sessions.begin(trx, { accountId: account.id, userAgent: c.req.header('User-Agent') ?? '' });
        });
      } catch (error) {
        if (!(error instanceof Problem) || error.code !== 'email_taken') throw error;
        return await setupPage({ status: 409, errors: [{ path: 'email', message: error.detail }], name, email });
      }
      if (session === null) return await setupOverPage();
      guard.setCookie(c, session);
      return c.redirect('/', 303);
    },
  );
}
