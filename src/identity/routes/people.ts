import { z } from '@hono/zod-openapi';
import { isoTime } from '../../kernel/clock.ts';
import type { Reader, Transaction } from '../../kernel/database/database.ts';
import { json } from '../../kernel/http/bodies/request-body.ts';
import type { App } from '../../kernel/http/context.ts';
import { endpoint } from '../../kernel/http/endpoint.ts';
import { languageOf } from '../../kernel/http/language.ts';
import { NO_STORE } from '../../kernel/http/no-store.ts';
import { guid } from '../../kernel/http/params.ts';
import { invalidField, notFound, Problem } from '../../kernel/problem.ts';
import { nameField } from '../../kernel/shared-fields.ts';
import { type Account, LOCAL_ISSUER } from '../account.ts';
import type { Accounts } from '../accounts.ts';
import type { Caller } from '../caller.ts';
import { emailField, passwordField, roleField } from '../fields.ts';
import type { AccountRoutesDeps } from './deps.ts';

const tags = ['people'];
const path = '/api/admin/people';
const NO_MAIL = 'requires the service mail, which this server does not run';
const personSchema = z
  .object({
    id: z.uuid(),
    email: z.string(),
    name: z.string(),
    role: roleField,
    issuer: z.string().describe('`local`, or the URL of the OpenID provider'),
    disabled: z.boolean(),
    invited: z.boolean().describe('true until the first sign-in at the OpenID provider'),
    dateCreated: z.iso.datetime(),
    dateSignedIn: z.iso.datetime().nullable(),
  })
  .openapi('Person');
const linkField = z
  .string()
  .describe('one-time link to a page where the person chooses a password; valid for seven days');
const mailSchema = z
  .object({
    id: z.string().nullable().describe('id of the message; null when it was refused'),
    status: z
      .enum(['sent', 'queued', 'sandbox', 'failed'])
      .describe('`queued`: it will be tried again; `sandbox`: it is not delivered'),
    reason: z.string().nullable().describe('why it failed'),
  })
  .openapi('AccountMailResult');
const invitation = z.object({
  email: emailField,
  name: nameField.optional(),
  role: roleField.default('user'),
  password: passwordField
    .optional()
    .describe('local accounts only; absent = the response has a link to choose a password'),
  sendMail: z.boolean().default(false).describe('true = send the invitation by e-mail'),
});
const personChange = z.object({ name: nameField, role: roleField, disabled: z.boolean() }).partial();

/** Accounts for administrators: list, invite, change, set a password or create a link to choose one. */
export function mountPeople(app: App, deps: AccountRoutesDeps): void {
  const { database, accounts, guard } = deps;
  const shared = { tags, auth: guard.admin };

  endpoint(app, {
    ...shared,
    method: 'get',
    path,
    operation: 'listPeople',
    summary: 'List all accounts',
    responses: { 200: { description: 'The accounts, oldest first.', schema: z.array(personSchema) } },
    async handler({ c }) {
      await c.env.giveWay();
      return (await accounts.list()).map(personRecord);
    },
  });

  mountInvitation(app, deps);

  endpoint(app, {
    ...shared,
    method: 'patch',
    path: `${path}/{id}`,
    operation: 'updatePerson',
    summary: 'Change the name or role of an account, disable or enable it',
    params: { id: guid },
    body: json(personChange),
    responses: {
      200: {
        description: 'The account. Changing its role and disabling it end its sessions and tokens.',
        schema: personSchema,
      },
    },
    problems: ['last_admin'],
    handler: async ({ caller, params: { id }, body }) =>
      personRecord(await database.transaction((trx) => updateAccount(trx, deps, caller, { id, ...body }))),
  });

  mountPassword(app, deps);
  mountPasswordLinks(app, deps);
}

function mountInvitation(app: App, deps: AccountRoutesDeps): void {
  const { database, accounts, sessions, passwordLinks, accountMails, guard } = deps;
  endpoint(app, {
    method: 'post',
    path,
    operation: 'invitePerson',
    summary: 'Invite a person',
    tags,
    auth: guard.admin,
    body: json(invitation),
    responses: {
      201: {
        description:
          'The account. With an external issuer, the first person to sign in with this verified address gets it.',
        schema: personSchema.extend({
          passwordLink: linkField.optional(),
          mail: mailSchema.optional().describe('the e-mail after its first attempt, with `sendMail`'),
        }),
      },
    },
    problems: ['email_taken'],
    async handler({ c, caller, body: { password, sendMail, ...person }, reply }) {
      if (password !== undefined && accounts.issuer !== LOCAL_ISSUER)
        throw invalidField('password', 'must be absent, since people sign in at the OpenID provider');
      if (sendMail && !accountMails) throw invalidField('sendMail', NO_MAIL);
      const passwordHash =
        password === undefined ? undefined : await accounts.hashPassword(password, caller.accountId);
      const account = await database.transaction(async (trx) => {
        await accounts.lockAdmins(trx);
        await sessions.requireActive(trx, caller);
        return await accounts.create(trx, { ...person, passwordHash });
      });
      const link = password === undefined ? await passwordLinks.create(account.id, 'invitation') : null;
      const mail = sendMail
        ? await accountMails?.invite(account, {
            inviter: caller.name,
            language: languageOf(c),
            passwordLink: link?.link ?? null,
          })
        : undefined;
      return reply(201, { ...personRecord(account), passwordLink: link?.link, mail }, NO_STORE);
    },
  });
}

function mountPassword(app: App, { database, accounts, sessions, guard }: AccountRoutesDeps): void {
  endpoint(app, {
    method: 'post',
    path: `${path}/{id}/password`,
    tags,
    auth: guard.admin,
    params: { id: guid },
    operation: 'setPersonPassword',
    summary: 'Set the password of an account',
    body: json(z.object({ password: passwordField })),
    responses: { 204: { description: 'Set. The sessions and tokens of the account have ended.' } },
    async handler({ caller, params: { id }, body: { password } }) {
      if ((await requireAccount(accounts, id)).issuer !== LOCAL_ISSUER)
        throw invalidField('password', 'cannot be set, since this person signs in at an OpenID provider');
      const hash = await accounts.hashPassword(password, caller.accountId);
      await database.transaction(async (trx) => {
        await accounts.lockAdmins(trx);
        await sessions.requireActive(trx, caller);
        await accounts.setPassword(trx, id, hash);
      });
    },
  });
}

function mountPasswordLinks(app: App, deps: AccountRoutesDeps): void {
  const { accounts, passwordLinks, accountMails, guard } = deps;
  const shared = { method: 'post', tags, auth: guard.admin, params: { id: guid } } as const;

  endpoint(app, {
    ...shared,
    path: `${path}/{id}/password-link`,
    operation: 'createPasswordLink',
    summary: 'Create a link to choose a password',
    responses: {
      201: {
        description: 'The link. Choosing a password ends it.',
        schema: z.object({ link: linkField, expiresAt: z.iso.datetime() }),
      },
    },
    async handler({ params: { id }, reply }) {
      const created = await passwordLinks.create(id, 'invitation');
      if (!created) throw notFound();
      return reply(201, { link: created.link, expiresAt: isoTime(created.expiresAt) }, NO_STORE);
    },
  });

  endpoint(app, {
    ...shared,
    path: `${path}/{id}/password-mail`,
    operation: 'sendPasswordLink',
    summary: 'E-mail a person a link to choose a password',
    description: 'An invitation before the first sign-in, then a link that expires in an hour.',
    responses: { 200: { description: 'The e-mail after its first attempt.', schema: mailSchema } },
    problems: ['invalid_request'],
    async handler({ c, caller, params: { id } }) {
      if (!accountMails) throw new Problem('invalid_request', `The e-mail cannot be sent: it ${NO_MAIL}.`);
      const account = await requireAccount(accounts, id);
      const isNew = account.dateSignedIn === null;
      const link = await passwordLinks.create(id, isNew ? 'invitation' : 'reset');
      if (!link) throw notFound();
      const language = languageOf(c);
      return isNew
        ? await accountMails.invite(account, { inviter: caller.name, language, passwordLink: link.link })
        : await accountMails.resetPassword(account, link.link, { language, wait: true });
    },
  });
}

async function updateAccount(
  trx: Transaction,
  { accounts, sessions }: Pick<AccountRoutesDeps, 'accounts' | 'sessions'>,
  caller: Caller,
  { id, name, role, disabled }: { id: string } & z.output<typeof personChange>,
): Promise<Account> {
  await accounts.lockAdmins(trx);
  await sessions.requireActive(trx, caller);
  const account = await requireAccount(accounts, id, trx);
  if (name !== undefined) await accounts.rename(trx, id, name);
  if (role !== undefined && role !== account.role) await accounts.setRole(trx, id, role);
  if (disabled !== undefined && disabled !== account.disabled) await accounts.setDisabled(trx, id, disabled);
  await accounts.requireActiveAdmin(trx);
  return await requireAccount(accounts, id, trx);
}

/** @throws Problem 404 */
async function requireAccount(accounts: Accounts, id: string, reader?: Reader): Promise<Account> {
  const account = await accounts.byId(id, reader);
  if (!account) throw notFound();
  return account;
}

function personRecord({
  id,
  email,
  name,
  role,
  issuer,
  disabled,
  subject,
  dateCreated,
  dateSignedIn,
}: Account) {
  return {
    ...{ id, email, name, role, issuer, disabled },
    invited: subject === null,
    dateCreated: isoTime(dateCreated),
    dateSignedIn: dateSignedIn === null ? null : isoTime(dateSignedIn),
  };
}
