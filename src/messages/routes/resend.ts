import { z } from '@hono/zod-openapi';
import type { Guard } from '../../identity/guard.ts';
import type { Database } from '../../kernel/database/database.ts';
import { json } from '../../kernel/http/bodies/request-body.ts';
import type { App } from '../../kernel/http/context.ts';
import { endpoint } from '../../kernel/http/endpoint.ts';
import { guid } from '../../kernel/http/params.ts';
import { notCancellable } from '../../kernel/outbox/message-status.ts';
import type { Outbox } from '../../kernel/outbox/outbox.ts';
import { notFound } from '../../kernel/problem.ts';

interface ResendDeps {
  database: Database;
  outbox: Outbox;
  guard: Guard;
}

const messageIds = z.object({ ids: z.array(z.uuid()).min(1).max(500) });

/** Resending and cancelling messages. */
export function mountResend(app: App, { database, outbox, guard }: ResendDeps): void {
  const shared = { method: 'post', tags: ['messages'], auth: guard.admin } as const;

  endpoint(app, {
    ...shared,
    path: '/api/admin/messages/resend',
    operation: 'resendMessages',
    summary: 'Send finished messages again',
    body: json(messageIds),
    responses: {
      200: {
        description: 'The messages that are sent again. Unknown and queued ones are ignored.',
        schema: z.object({ resent: z.array(z.uuid()) }),
      },
    },
    async handler({ body: { ids } }) {
      const kinds = new Map<string, string>();
      for (const id of ids) {
        const kind = await database.transaction((trx) => outbox.reopen(trx, id));
        if (kind !== null) kinds.set(id, kind);
      }
      for (const kind of new Set(kinds.values())) outbox.wake(kind);
      return { resent: [...kinds.keys()] };
    },
  });

  endpoint(app, {
    ...shared,
    path: '/api/admin/messages/{id}/cancel',
    operation: 'cancelMessage',
    summary: 'Cancel the queued parts of a message',
    params: { id: guid },
    responses: { 204: { description: 'Cancelled.' } },
    problems: ['not_cancellable'],
    async handler({ params: { id } }) {
      if ((await database.transaction((trx) => outbox.cancel(trx, id))) > 0) return;
      if (!(await outbox.part(id, 0))) throw notFound();
      throw notCancellable();
    },
  });
}
