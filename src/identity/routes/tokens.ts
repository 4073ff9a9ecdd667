import { z } from '@hono/zod-openapi';
import { tokenRecord, tokenTimes } from '../../kernel/access-tokens.ts';
import { DAY } from '../../kernel/clock.ts';
import { json } from '../../kernel/http/bodies/request-body.ts';
import type { App } from '../../kernel/http/context.ts';
import { endpoint } from '../../kernel/http/endpoint.ts';
import { NO_STORE } from '../../kernel/http/no-store.ts';
import { guid } from '../../kernel/http/params.ts';
import { notFound } from '../../kernel/problem.ts';
import { nameField } from '../../kernel/shared-fields.ts';
import { DEFAULT_TOKEN_DAYS, DEFAULT_TOKEN_SCOPE, daysField, scopeField } from '../fields.ts';
import type { AccountRoutesDeps } from './deps.ts';

const path = '/api/account/tokens';
const tokenSchema = z
  .object({
    id: z.uuid(),
    name: z.string(),
    scope: scopeField,
    ...tokenTimes,
  })
  .openapi('Token');
const newToken = z.object({
  name: nameField,
  scope: scopeField.default(DEFAULT_TOKEN_SCOPE),
  days: daysField.default(DEFAULT_TOKEN_DAYS).describe('days until the token expires'),
});

/** Personal access tokens: list, create, revoke. Session only, so that a token cannot create another one. */
export function mountTokens(app: App, deps: AccountRoutesDeps): void {
  const { database, clock, accounts, tokens, sessions, guard } = deps;
  const shared = { tags: ['account'], auth: guard.session };

  endpoint(app, {
    ...shared,
    method: 'get',
    path,
    operation: 'listTokens',
    summary: 'List your personal access tokens',
    responses: {
      200: {
        description: 'The tokens, newest first; expired ones included.',
        schema: z.array(tokenSchema),
      },
    },
    handler: async ({ caller }) => (await tokens.list(caller.accountId)).map(tokenRecord),
  });

  endpoint(app, {
    ...shared,
    method: 'post',
    path,
    operation: 'createToken',
    summary: 'Create a personal access token',
    body: json(newToken),
    responses: {
      201: {
        description: 'The token. Its secret `token` cannot be read again.',
        schema: tokenSchema.extend({ token: z.string() }),
      },
    },
    problems: ['limit_reached'],
    async handler({ caller, body: { days, ...wanted }, reply }) {
      const expiresAt = clock.now() + days * DAY;
      const created = await database.transaction(async (trx) => {
        await accounts.lock(trx, caller.accountId);
        await sessions.requireActive(trx, caller);
        return await tokens.create(trx, { ...wanted, accountId: caller.accountId, expiresAt });
      });
      const record = { ...tokenRecord(created), token: created.token };
      return reply(201, record, NO_STORE);
    },
  });

  endpoint(app, {
    ...shared,
    method: 'delete',
    path: `${path}/{id}`,
    operation: 'revokeToken',
    summary: 'Revoke a personal access token',
    params: { id: guid },
    responses: { 204: { description: 'Revoked.' } },
    async handler({ caller, params: { id } }) {
      if (!(await database.transaction((trx) => tokens.revoke(trx, id, caller.accountId)))) throw notFound();
    },
  });
}
