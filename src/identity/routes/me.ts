import { z } from '@hono/zod-openapi';
import type { App } from '../../kernel/http/context.ts';
import { endpoint } from '../../kernel/http/endpoint.ts';
import { roleField } from '../fields.ts';
import type { Guard } from '../guard.ts';

/** Where a person's files are; told by the storage service. */
export type ProfileOf = (accountId: string) => Promise<{ workspaceId: string | null; rootFolderId: string | null }>;

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

export function mountMe(app: App, { guard, profileOf }: { guard: Guard; profileOf: ProfileOf }): void {
  endpoint(
    app,
    'get',
    '/api/me',
    {
      summary: 'Who is signed in?',
      tags: ['login'],
      security: ['session', 'bearer'],
      answers: { 200: { description: 'The account, and where its files are.', schema: meSchema } },
      problems: ['login_required'],
    },
    async (c) => {
      const { accountId, email, name, role } = await guard.requireAccount(c);
      const { workspaceId, rootFolderId } = await profileOf(accountId);
      return c.json({ id: accountId, email, name, role, workspaceId, rootFolderId }, 200, { 'Cache-Control': 'no-store' });
    },
  );
}
