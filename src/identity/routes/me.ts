import { z } from '@hono/zod-openapi';
import { anyone } from '../../kernel/http/auth.ts';
import type { App } from '../../kernel/http/context.ts';
import { endpoint } from '../../kernel/http/endpoint.ts';
import { LOCAL_ISSUER } from '../account.ts';
import type { Accounts } from '../accounts.ts';
import { roleField } from '../fields.ts';
import type { Guard } from '../guard.ts';

/** Returns the personal workspace of an account and its root folder; implemented by storage. */
export type ProfileOf = (
  accountId: string,
) => Promise<{ workspaceId: string | null; rootFolderId: string | null }>;

interface MeDeps {
  accounts: Accounts;
  guard: Guard;
  profileOf: ProfileOf;
}

const meSchema = z
  .object({
    id: z.uuid(),
    email: z.string(),
    name: z.string(),
    role: roleField,
    workspaceId: z.uuid().nullable(),
    rootFolderId: z.uuid().nullable(),
  })
  .openapi('Me');

/** What the start page needs: the state of the setup before sign-in, and then the caller's account. */
export function mountMe(app: App, { accounts, guard, profileOf }: MeDeps): void {
  const shared = { method: 'get', tags: ['login'] } as const;
  const noStore = { 'Cache-Control': 'no-store' };

  endpoint(app, {
    ...shared,
    path: '/api/welcome',
    operation: 'getSetupState',
    summary: 'Report whether the first administrator exists, and whether accounts are local',
    auth: anyone,
    answers: {
      200: {
        description:
          'With `needsFirstAccount`, the terminal shows a link that creates the first administrator.',
        schema: z.object({ needsFirstAccount: z.boolean(), localAccounts: z.boolean() }),
      },
    },
    async handler({ reply }) {
      const localAccounts = accounts.issuer === LOCAL_ISSUER;
      const needsFirstAccount = localAccounts && !(await accounts.hasAdmin());
      return reply(200, { needsFirstAccount, localAccounts }, noStore);
    },
  });

  endpoint(app, {
    ...shared,
    path: '/api/me',
    operation: 'getMe',
    summary: 'Get your account',
    auth: guard.account,
    answers: { 200: { description: 'The account and its personal workspace.', schema: meSchema } },
    async handler({ caller: { accountId, email, name, role }, reply }) {
      const { workspaceId, rootFolderId } = await profileOf(accountId);
      return reply(200, { id: accountId, email, name, role, workspaceId, rootFolderId }, noStore);
    },
  });
}
