import { z } from '@hono/zod-openapi';
import { isoTime } from '../../kernel/clock.ts';
import type { App } from '../../kernel/http/context.ts';
import { endpoint } from '../../kernel/http/endpoint.ts';
import { guid } from '../../kernel/http/params.ts';
import { notFound } from '../../kernel/problem.ts';
import type { AccountRoutesDeps } from './deps.ts';

const path = '/api/account/sessions';
const sessionSchema = z
  .object({
    id: z.uuid(),
    userAgent: z.string(),
    dateCreated: z.iso.datetime(),
    dateUsed: z.iso.datetime().describe('to the minute'),
    expiresAt: z.iso.datetime().describe('extended by every use'),
    current: z.boolean().describe('true for the session of this request'),
  })
  .openapi('Session');

/** Sessions of the caller: list, end. */
export function mountSessions(app: App, { database, sessions, guard }: AccountRoutesDeps): void {
  const shared = { tags: ['account'], auth: guard.session };

  endpoint(app, {
    ...shared,
    method: 'get',
    path,
    operation: 'listSessions',
    summary: 'List your sessions',
    responses: {
      200: { description: 'The active sessions, most recently used first.', schema: z.array(sessionSchema) },
    },
    handler: async ({ caller }) =>
      (await sessions.list(caller.accountId)).map((session) => ({
        ...session,
        dateCreated: isoTime(session.dateCreated),
        dateUsed: isoTime(session.dateUsed),
        expiresAt: isoTime(session.expiresAt),
        current: session.id === caller.credentialId,
      })),
  });

  endpoint(app, {
    ...shared,
    method: 'delete',
    path: `${path}/{id}`,
    operation: 'endSession',
    summary: 'End a session',
    params: { id: guid },
    responses: { 204: { description: 'Ended.' } },
    async handler({ caller, params: { id } }) {
      if (!(await database.transaction((trx) => sessions.end(trx, caller.accountId, id)))) throw notFound();
    },
  });
}
