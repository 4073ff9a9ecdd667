import { z } from '@hono/zod-openapi';
import type { App } from '../../kernel/http/context.ts';
import { endpoint } from '../../kernel/http/endpoint.ts';
import { type Accounts, LOCAL_ISSUER } from '../accounts.ts';

export function mountWelcome(app: App, { accounts }: { accounts: Accounts }): void {
  endpoint(
    app,
    'get',
    '/api/welcome',
    {
      summary: 'Must the first account still be made, and are accounts kept here?',
      tags: ['login'],
      answers: {
        200: {
          description: 'If so, the terminal shows a link for it.',
          schema: z.object({ needsFirstAccount: z.boolean(), localAccounts: z.boolean() }),
        },
      },
    },
    async (c) => {
      const localAccounts = accounts.issuer === LOCAL_ISSUER;
      const needsFirstAccount = localAccounts && !(await accounts.hasAdmin());
      return c.json({ needsFirstAccount, localAccounts }, 200, { 'Cache-Control': 'no-store' });
    },
  );
}
