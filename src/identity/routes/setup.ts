import { z } from '@hono/zod-openapi';
import type { Database } from '../../kernel/database/database.ts';
import { checked, readBytes, requireMediaType } from '../../kernel/http/body.ts';
import type { App, Ctx } from '../../kernel/http/context.ts';
import { Problem } from '../../kernel/http/problem.ts';
import type { Accounts } from '../accounts.ts';
import { emailField, nameField, passwordField } from '../fields.ts';
import type { SessionGuard } from '../guard.ts';
import { setupOverPage, setupPage } from '../pages/setup.ts';
import type { Sessions } from '../sessions.ts';
import type { SetupLink } from '../setup-link.ts';

interface SetupParts {
  database: Database;
  accounts: Accounts;
  sessions: Sessions;
  setupLink: SetupLink;
  guard: SessionGuard;
}

export const SETUP_PATH = '/setup';
const FORM_LIMIT = 16_384;

const formSchema = z.object({ name: z.union([z.literal(''), nameField]).default(''), email: emailField, password: passwordField });

/** The page behind the one-time link that the terminal shows. */
export function mountSetup(app: App, { database, accounts, sessions, setupLink, guard }: SetupParts): void {
  app.get(`${SETUP_PATH}/:token`, async (c) =>
    (await setupLink.isValid(c.req.param('token'))) ? await setupPage() : await setupOverPage(),
  );

  app.post(`${SETUP_PATH}/:token`, async (c) => {
    guard.requireSameOrigin(c);
    const token = c.req.param('token');
    // Before the password is hashed, which is work.
    if (!(await setupLink.isValid(token))) return await setupOverPage();
    const form = await readForm(c);
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
  });
}

async function readForm(c: Ctx): Promise<Record<'name' | 'email' | 'password', string>> {
  requireMediaType(c, ['application/x-www-form-urlencoded']);
  const form = new URLSearchParams(new TextDecoder().decode(await readBytes(c, FORM_LIMIT)));
  return { name: (form.get('name') ?? '').trim(), email: form.get('email') ?? '', password: form.get('password') ?? '' };
}
