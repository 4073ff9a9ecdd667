import { z } from '@hono/zod-openapi';
import { type Clock, DAY, isoTime } from '../../kernel/clock.ts';
import type { Database } from '../../kernel/database/database.ts';
import { readJson } from '../../kernel/http/body.ts';
import type { App, Ctx } from '../../kernel/http/context.ts';
import { endpoint, pathId } from '../../kernel/http/endpoint.ts';
import { notFound } from '../../kernel/http/problem.ts';
import { DEFAULT_TOKEN_DAYS, daysField, nameField, passwordField, scopeField } from '../fields.ts';
import type { SessionGuard } from '../guard.ts';
import type { PasswordLogin } from '../password-login.ts';
import type { People } from '../people.ts';
import type { Token } from '../tokens.ts';

interface AccountParts {
  database: Database;
  clock: Clock;
  people: People;
  guard: SessionGuard;
  /** Null where passwords are not kept here. */
  passwordLogin: PasswordLogin | null;
}

const tags = ['account'];
const security = ['session' as const];
const whenOrNever = z.iso.datetime().nullable();
const tokenSchema = z
  .object({
    id: z.uuid(),
    name: z.string(),
    scope: scopeField,
    dateCreated: z.iso.datetime(),
    dateUsed: whenOrNever.describe('correct to the minute'),
    expiresAt: whenOrNever,
  })
  .openapi('Token');
const newToken = z.object({
  name: nameField,
  scope: scopeField.default('write'),
  days: daysField.default(DEFAULT_TOKEN_DAYS).describe('after how many days it runs out'),
});
const sessionSchema = z
  .object({
    id: z.uuid(),
    userAgent: z.string(),
    dateCreated: z.iso.datetime(),
    dateUsed: z.iso.datetime().describe('correct to the minute'),
    expiresAt: z.iso.datetime().describe('put off by every use'),
    current: z.boolean().describe('the one that this request came with'),
  })
  .openapi('Session');
const newPassword = z.object({ currentPassword: z.string(), newPassword: passwordField });

/** What people do with their own account. By session alone, so that a token can make no other token. */
export function mountAccount(app: App, { database, clock, people, guard, passwordLogin }: AccountParts): void {
  const { accounts, sessions, tokens } = people;

  endpoint(
    app,
    'get',
    '/api/account/tokens',
    {
      summary: 'One’s personal access tokens',
      tags,
      security,
      answers: { 200: { description: 'The newest first.', schema: z.array(tokenSchema) } },
      problems: ['login_required'],
    },
    async (c) => {
      const { accountId } = await guard.requireSession(c);
      return c.json((await tokens.list(accountId)).map(shownToken));
    },
  );

  endpoint(
    app,
    'post',
    '/api/account/tokens',
    {
      summary: 'Make a personal access token',
      tags,
      security,
      body: { 'application/json': newToken },
      answers: { 201: { description: 'The only time that the token can be read.', schema: tokenSchema.extend({ token: z.string() }) } },
      problems: ['login_required', 'cross_site_request', 'invalid_request'],
    },
    async (c) => {
      const { accountId } = await guard.requireSession(c);
      const { name, scope, days } = await readJson(c, newToken);
      const expiresAt = clock.now() + days * DAY;
      const made = await database.transaction((trx) => tokens.make(trx, { accountId, name, scope, expiresAt }));
      return c.json({ ...shownToken(made), token: made.token }, 201, { 'Cache-Control': 'no-store' });
    },
  );

  endpoint(
    app,
    'delete',
    '/api/account/tokens/{id}',
    {
      summary: 'Revoke a token',
      tags,
      security,
      answers: { 204: { description: 'It opens nothing any more.' } },
      problems: ['login_required', 'cross_site_request', 'not_found'],
    },
    async (c) => {
      const { accountId } = await guard.requireSession(c);
      const id = pathId(c, 'id');
      return await gone(c, await database.transaction((trx) => tokens.revoke(trx, id, accountId)));
    },
  );

  endpoint(
    app,
    'get',
    '/api/account/sessions',
    {
      summary: 'Where one is signed in',
      tags,
      security,
      answers: { 200: { description: 'The last used first.', schema: z.array(sessionSchema) } },
      problems: ['login_required'],
    },
    async (c) => {
      const { accountId, sessionId } = await guard.requireSession(c);
      const all = await sessions.list(accountId);
      return c.json(
        all.map(({ id, userAgent, dateCreated, dateUsed, expiresAt }) => ({
          id,
          userAgent,
          dateCreated: isoTime(dateCreated),
          dateUsed: isoTime(dateUsed),
          expiresAt: isoTime(expiresAt),
          current: id === sessionId,
        })),
      );
    },
  );

  endpoint(
    app,
    'delete',
    '/api/account/sessions/{id}',
    {
      summary: 'Sign out somewhere else',
      tags,
      security,
      answers: { 204: { description: 'That session has ended.' } },
      problems: ['login_required', 'cross_site_request', 'not_found'],
    },
    async (c) => {
      const { accountId } = await guard.requireSession(c);
      const id = pathId(c, 'id');
      return await gone(c, await database.transaction((trx) => sessions.end(trx, accountId, id)));
    },
  );

  if (!passwordLogin) return;
  endpoint(
    app,
    'post',
    '/api/account/password',
    {
      summary: 'Change one’s password',
      tags,
      security,
      body: { 'application/json': newPassword },
      answers: { 204: { description: 'All other sessions, and all tokens, have ended. Sets a new session cookie.' } },
      problems: ['login_required', 'cross_site_request', 'invalid_request', 'bad_credentials', 'too_many_attempts'],
    },
    async (c) => {
      const { accountId, email } = await guard.requireSession(c);
      const body = await readJson(c, newPassword);
      await passwordLogin(email, body.currentPassword, c.get('address'));
      const hash = await accounts.hashPassword(body.newPassword);
      const session = await database.transaction(async (trx) => {
        await accounts.setPassword(trx, accountId, hash);
        return await sessions.begin(trx, { accountId, userAgent: c.req.header('User-Agent') ?? '' });
      });
      guard.setCookie(c, session);
      return c.body(null, 204);
    },
  );
}

async function gone(c: Ctx, wasThere: boolean): Promise<Response> {
  if (!wasThere) throw notFound();
  return c.body(null, 204);
}

function shownToken({ id, name, scope, dateCreated, dateUsed, expiresAt }: Token): z.infer<typeof tokenSchema> {
  return {
    id,
    name,
    scope,
    dateCreated: isoTime(dateCreated),
    dateUsed: dateUsed === null ? null : isoTime(dateUsed),
    expiresAt: expiresAt === null ? null : isoTime(expiresAt),
  };
}
