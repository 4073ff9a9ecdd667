import { z } from '@hono/zod-openapi';
import { isoTime } from '../../kernel/clock.ts';
import type { Database, Transaction } from '../../kernel/database/database.ts';
import { readJson } from '../../kernel/http/body.ts';
import type { App } from '../../kernel/http/context.ts';
import { endpoint, pathId } from '../../kernel/http/endpoint.ts';
import { invalidField, notFound } from '../../kernel/http/problem.ts';
import { type Account, type Accounts, LOCAL_ISSUER } from '../accounts.ts';
import { emailField, nameField, passwordField, roleField } from '../fields.ts';
import type { Guard } from '../guard.ts';
import type { PasswordLinks } from '../password-links.ts';
import { PASSWORD_PATH } from './password.ts';

interface PeopleRoutesParts {
  database: Database;
  accounts: Accounts;
  passwordLinks: PasswordLinks;
  guard: Guard;
  /** Where links lead. */
  publicUrl: string;
}

const tags = ['people'];
const security = ['session' as const];
const personSchema = z
  .object({
    id: z.uuid(),
    email: z.string(),
    name: z.string(),
    role: roleField,
    issuer: z.string().describe('`local`, or the URL of the OpenID provider'),
    disabled: z.boolean(),
    invited: z.boolean().describe('has not signed in at the OpenID provider yet'),
    dateCreated: z.iso.datetime(),
    dateSignedIn: z.iso.datetime().nullable(),
  })
  .openapi('Person');
const passwordLink = z.string().describe('one-time link by which the person chooses a password, for seven days');
const invitation = z.object({
  email: emailField,
  name: nameField.optional(),
  role: roleField.default('user'),
  password: passwordField.optional().describe('local accounts only; without it the answer has a link to choose one'),
});
const changes = z.object({ name: nameField.optional(), role: roleField.optional(), disabled: z.boolean().optional() });

/** What administrators do with accounts. */
export function mountPeople(app: App, { database, accounts, passwordLinks, guard, publicUrl }: PeopleRoutesParts): void {
  endpoint(
    app,
    'get',
    '/api/admin/people',
    {
      summary: 'All accounts',
      tags,
      security,
      answers: { 200: { description: 'In the order in which they were made.', schema: z.array(personSchema) } },
      problems: ['login_required', 'admin_required'],
    },
    async (c) => {
      await guard.requireAdmin(c);
      return c.json((await accounts.list()).map(shown));
    },
  );

  endpoint(
    app,
    'post',
    '/api/admin/people',
    {
      summary: 'Invite a person',
      tags,
      security,
      body: { 'application/json': invitation },
      answers: {
        201: {
          description: 'The account. With an external issuer it is the person’s who first signs in with this verified address.',
          schema: personSchema.extend({ passwordLink: passwordLink.optional() }),
        },
      },
      problems: ['login_required', 'admin_required', 'cross_site_request', 'invalid_request', 'email_taken'],
    },
    async (c) => {
      await guard.requireAdmin(c);
      const { password, ...person } = await readJson(c, invitation);
      if (password !== undefined && accounts.issuer !== LOCAL_ISSUER)
        throw invalidField('password', 'people sign in at the OpenID provider');
      const passwordHash = password === undefined ? undefined : await accounts.hashPassword(password);
      const made = await database.transaction((trx) => accounts.make(trx, { ...person, passwordHash }));
      const link = password === undefined ? await linkFor(made.id) : null;
      return c.json({ ...shown(made), ...(link ? { passwordLink: link.link } : {}) }, 201, { 'Cache-Control': 'no-store' });
    },
  );

  endpoint(
    app,
    'patch',
    '/api/admin/people/{id}',
    {
      summary: 'Change a name or a role, disable or enable',
      tags,
      security,
      body: { 'application/json': changes },
      answers: { 200: { description: 'The account. Another role, and disabling, end its sessions and tokens.', schema: personSchema } },
      problems: ['login_required', 'admin_required', 'cross_site_request', 'invalid_request', 'not_found', 'last_admin'],
    },
    async (c) => {
      await guard.requireAdmin(c);
      const id = pathId(c, 'id');
      const { name, role, disabled } = await readJson(c, changes);
      const changed = await database.transaction(async (trx) => {
        await accounts.lockAdmins(trx);
        const account = await required(id, trx);
        if (name !== undefined) await accounts.rename(trx, id, name);
        if (role !== undefined && role !== account.role) await accounts.setRole(trx, id, role);
        if (disabled !== undefined && disabled !== account.disabled) await accounts.setDisabled(trx, id, disabled);
        await accounts.requireAdmin(trx);
        return await required(id, trx);
      });
      return c.json(shown(changed));
    },
  );

  endpoint(
    app,
    'post',
    '/api/admin/people/{id}/password',
    {
      summary: 'Give a person another password',
      tags,
      security,
      body: { 'application/json': z.object({ password: passwordField }) },
      answers: { 204: { description: 'Done; the account’s sessions and tokens have ended.' } },
      problems: ['login_required', 'admin_required', 'cross_site_request', 'invalid_request', 'not_found'],
    },
    async (c) => {
      await guard.requireAdmin(c);
      const id = pathId(c, 'id');
      const { password } = await readJson(c, z.object({ password: passwordField }));
      if ((await required(id)).issuer !== LOCAL_ISSUER) throw invalidField('password', 'this person signs in at an OpenID provider');
      const hash = await accounts.hashPassword(password);
      await database.transaction((trx) => accounts.setPassword(trx, id, hash));
      return c.body(null, 204);
    },
  );

  endpoint(
    app,
    'post',
    '/api/admin/people/{id}/password-link',
    {
      summary: 'Make a link by which a person chooses a password',
      tags,
      security,
      answers: { 201: { description: 'It ends when it was used.', schema: z.object({ link: passwordLink, expiresAt: z.iso.datetime() }) } },
      problems: ['login_required', 'admin_required', 'cross_site_request', 'not_found'],
    },
    async (c) => {
      await guard.requireAdmin(c);
      const link = await linkFor(pathId(c, 'id'));
      if (!link) throw notFound();
      return c.json(link, 201, { 'Cache-Control': 'no-store' });
    },
  );

  async function linkFor(id: string): Promise<{ link: string; expiresAt: string } | null> {
    const made = await passwordLinks.make(id);
    return made && { link: `${publicUrl}${PASSWORD_PATH}/${made.token}`, expiresAt: isoTime(made.endsAt) };
  }

  async function required(id: string, trx?: Transaction): Promise<Account> {
    const account = await accounts.byId(id, trx);
    if (!account) throw notFound();
    return account;
  }
}

function shown({ id, email, name, role, issuer, disabled, subject, dateCreated, dateSignedIn }: Account): z.infer<typeof personSchema> {
  return {
    id,
    email,
    name,
    role,
    issuer,
    disabled,
    invited: subject === null,
    dateCreated: isoTime(dateCreated),
    dateSignedIn: dateSignedIn === null ? null : isoTime(dateSignedIn),
  };
}
