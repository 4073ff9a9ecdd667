import { z } from '@hono/zod-openapi';
import { createOptionalWrites } from '../../kernel/database/optional-writes.ts';
import { anyone } from '../../kernel/http/auth.ts';
import type { App, Ctx } from '../../kernel/http/context.ts';
import { allowBearer } from '../../kernel/http/cors.ts';
import { endpoint } from '../../kernel/http/endpoint.ts';
import { languageOf } from '../../kernel/http/language.ts';
import { NO_STORE } from '../../kernel/http/no-store.ts';
import { languageField } from '../../kernel/shared-fields.ts';
import { type Account, LOCAL_ISSUER } from '../account.ts';
import { roleField } from '../fields.ts';
import { needsFirstAccount } from '../setup-link.ts';
import type { AccountRoutesDeps } from './deps.ts';

const meSchema = z
  .object({
    id: z.uuid(),
    email: z.string(),
    name: z.string(),
    role: roleField,
    language: languageField
      .nullable()
      .describe('chosen in the settings; null = the preference of each browser'),
    workspaceId: z.uuid().nullable(),
    rootFolderId: z.uuid().nullable(),
    mayCreateWorkspaces: z
      .boolean()
      .openapi({ description: 'Whether the account may create shared workspaces' }),
    publicUrl: z.string().openapi({
      description: 'Address of the server in links for others; the first of `POSTHOUSE_PUBLIC_URL`',
    }),
  })
  .openapi('Me');

/** Data of the start page: the state of the setup before sign-in, and then the caller's account. */
export function mountMe(app: App, deps: AccountRoutesDeps): void {
  const { database, accounts, guard, profileOf, corsOrigins } = deps;
  const [publicUrl] = deps.origins;
  allowBearer(app, { pattern: '/api/me', origins: corsOrigins, headers: [], exposed: [] });
  const write = createOptionalWrites(database);

  /** Records the language of the browser when it has changed. */
  function remember(c: Ctx, { id, language, mailLanguage }: Account): void {
    // Programs with tokens are not browsers, and some of them send `Accept-Language: *`.
    if (c.req.header('Authorization') !== undefined || c.req.header('Accept-Language') === undefined) return;
    const seen = languageOf(c);
    if (language !== null || mailLanguage === seen) return;
    write(id, (trx) => accounts.setBrowserLanguage(trx, id, seen));
  }

  const shared = { method: 'get', tags: ['login'] } as const;
  endpoint(app, {
    ...shared,
    path: '/api/welcome',
    operation: 'getSetupState',
    summary: 'Report whether the first administrator exists, and whether accounts are local',
    auth: anyone,
    responses: {
      200: {
        description:
          'With `needsFirstAccount`, the terminal shows a link that creates the first administrator.',
        schema: z.object({ needsFirstAccount: z.boolean(), localAccounts: z.boolean() }),
      },
    },
    async handler({ reply }) {
      const localAccounts = accounts.issuer === LOCAL_ISSUER;
      return reply(200, { needsFirstAccount: await needsFirstAccount(accounts), localAccounts }, NO_STORE);
    },
  });

  endpoint(app, {
    ...shared,
    path: '/api/me',
    operation: 'getMe',
    summary: 'Get your account',
    auth: guard.account,
    responses: { 200: { description: 'The account and its personal workspace.', schema: meSchema } },
    async handler({ c, caller: { accountId, email, name, role }, reply }) {
      const profile = await profileOf({ id: accountId, isAdmin: role === 'admin' });
      const account = await accounts.byId(accountId);
      if (account) remember(c, account);
      const language = account?.language ?? null;
      const me = { id: accountId, email, name, role, language, publicUrl, ...profile };
      return reply(200, me, NO_STORE);
    },
  });
}
