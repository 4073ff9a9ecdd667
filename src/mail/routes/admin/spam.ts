import { z } from '@hono/zod-openapi';
import type { App } from '../../../kernel/http/context.ts';
import { endpoint } from '../../../kernel/http/endpoint.ts';
import { notFound } from '../../../kernel/problem.ts';
import type { AdminDeps } from './deps.ts';
import { administration, ofRecord } from './shared.ts';

const one = '/api/admin/mail/spam/{id}';
const spamSchema = z
  .object({
    id: z.uuid(),
    clientId: z.uuid(),
    reason: z.string(),
    form: z.object({
      request: z.looseObject({}).openapi({ description: 'The fields of the form' }),
      visitor: z.object({
        address: z.string(),
        userAgent: z.string().nullable(),
        language: z.string().nullable(),
        referrer: z.string().nullable(),
        reported: z.boolean().openapi({
          description: 'true = reported by a back end that relays the form, except the values in `seen`',
        }),
        seen: z
          .array(z.string())
          .optional()
          .openapi({ description: 'Names of the values that the request had' }),
        more: z.looseObject({}).openapi({ description: 'Further values of the back end' }),
      }),
    }),
    dateCreated: z.iso.datetime(),
  })
  .openapi('SpamForm');

/** Contact forms that were blocked as spam. */
export function mountSpam(app: App, deps: AdminDeps): void {
  const { database, spam, releaseSpam } = deps;

  endpoint(app, {
    ...administration(deps),
    method: 'get',
    path: '/api/admin/mail/spam',
    operation: 'listSpamForms',
    summary: 'List the contact forms that were blocked as spam',
    query: z.object({ limit: z.coerce.number().int().min(1).max(500).default(100) }),
    responses: { 200: { description: 'Newest first.', schema: z.array(spamSchema) } },
    async handler({ c, query }) {
      await c.env.giveWay();
      return await spam.list(query.limit);
    },
  });

  endpoint(app, {
    ...ofRecord(deps),
    method: 'post',
    path: `${one}/release`,
    operation: 'releaseSpamForm',
    summary: 'Send a blocked contact form',
    responses: {
      202: {
        description: 'Stored. The server sends it as soon as possible.',
        schema: z.object({ id: z.uuid() }),
      },
    },
    problems: ['service_not_allowed'],
    handler: async ({ params: { id } }) => ({ id: await releaseSpam(id) }),
  });

  endpoint(app, {
    ...ofRecord(deps),
    method: 'delete',
    path: one,
    operation: 'deleteSpamForm',
    summary: 'Delete a blocked contact form',
    responses: { 204: { description: 'Deleted.' } },
    async handler({ params: { id } }) {
      if (!(await database.transaction((trx) => spam.remove(trx, id)))) throw notFound();
    },
  });
}
