import { z } from '@hono/zod-openapi';
import { isoTime } from '../clock.ts';
import type { Database } from '../database/database.ts';
import { readJson, readQuery } from '../http/body.ts';
import type { App, Ctx } from '../http/context.ts';
import { endpoint, pathId } from '../http/endpoint.ts';
import { notFound, Problem } from '../http/problem.ts';
import type { History, MessageSummary } from './history.ts';
import { statusOf } from './history.ts';
import type { OutboxMessage, Transport } from './message.ts';
import type { Outbox } from './outbox.ts';

interface RoutesParts {
  database: Database;
  outbox: Outbox;
  history: History;
  /** They know what their messages are about. */
  transports: readonly Transport[];
  /** @throws Problem unless the visitor is an administrator */
  requireAdmin(c: Ctx): Promise<unknown>;
}

const statuses = z.enum(['queued', 'sent', 'failed', 'unknown', 'cancelled']);
const listQuery = z.object({
  kind: z.string().optional(),
  status: statuses.optional(),
  clientId: z.string().optional(),
  sandbox: z.stringbool().optional(),
  search: z.string().max(200).optional(),
  before: z.uuid().optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});
const summary = z
  .object({
    id: z.uuid(),
    kind: z.string(),
    clientId: z.string().nullable(),
    status: statuses,
    attempts: z.int(),
    parts: z.int(),
    title: z.string().describe('Empty = none'),
    to: z.array(z.string()).describe('Addresses, or ids of our channels'),
    error: z.string().nullable(),
    errorCode: z.string().nullable(),
    sandbox: z.boolean(),
    nextAttemptAt: z.iso.datetime().nullable(),
    dateCreated: z.iso.datetime(),
    dateFinished: z.iso.datetime().nullable(),
  })
  .openapi('Message');
const part = z.object({
  part: z.int(),
  status: statuses,
  attempts: z.int(),
  error: z.string().nullable(),
  errorCode: z.string().nullable(),
  payload: z.unknown().openapi({ description: 'What was, or would have been, sent' }),
  result: z.unknown().openapi({ description: 'What the peer answered' }),
});
const many = z.object({ ids: z.array(z.uuid()).min(1).max(500) });
const resent = z.object({ resent: z.array(z.uuid()) });

/** The administrators' view of every message: list, look, send again, cancel. */
export function mountMessages(app: App, { database, outbox, history, transports, requireAdmin }: RoutesParts): void {
  const tags = ['messages'];
  const security = ['session' as const];
  const about = (kind: string, payload: unknown) =>
    transports.find((transport) => transport.kind === kind)?.about?.(payload) ?? { title: '', to: [] };
  const shownSummary = ({ payload, ...message }: MessageSummary) => ({
    ...message,
    ...about(message.kind, payload),
    nextAttemptAt: message.nextAttemptAt === null ? null : isoTime(message.nextAttemptAt),
    dateCreated: isoTime(message.dateCreated),
    dateFinished: message.dateFinished === null ? null : isoTime(message.dateFinished),
  });
  const admin = (handler: (c: Ctx) => Promise<Response>) => async (c: Ctx) => {
    await requireAdmin(c);
    return await handler(c);
  };

  endpoint(
    app,
    'get',
    '/api/admin/messages',
    {
      summary: 'Messages of every kind, newest first',
      tags,
      security,
      query: listQuery,
      answers: { 200: { description: 'A page; the next begins `before` its last id.', schema: z.array(summary) } },
      problems: ['login_required', 'admin_required', 'invalid_request'],
    },
    admin(async (c) => c.json((await history.list(readQuery(c, listQuery))).map(shownSummary))),
  );

  endpoint(
    app,
    'get',
    '/api/admin/messages/statistics',
    {
      summary: 'Messages an hour over the last two days, and the oldest that wait',
      tags,
      security,
      answers: {
        200: {
          description: 'Counts by hour and kind.',
          schema: z.object({
            hours: z.array(z.object({ hour: z.iso.datetime(), kind: z.string(), accepted: z.int(), failed: z.int() })),
            waiting: z.array(z.object({ kind: z.string(), clientId: z.string().nullable(), since: z.iso.datetime() })),
          }),
        },
      },
      problems: ['login_required', 'admin_required'],
    },
    admin(async (c) => {
      const [hours, waiting] = await Promise.all([history.perHour(48), history.oldestWaiting()]);
      return c.json({
        hours: hours.map((row) => ({ ...row, hour: isoTime(row.hour) })),
        waiting: waiting.map((row) => ({ ...row, since: isoTime(row.since) })),
      });
    }),
  );

  endpoint(
    app,
    'get',
    '/api/admin/messages/{id}',
    {
      summary: 'A message with what was sent',
      tags,
      security,
      answers: { 200: { description: 'The message and its parts.', schema: summary.extend({ parts: z.array(part) }) } },
      problems: ['login_required', 'admin_required', 'not_found'],
    },
    admin(async (c) => {
      const parts = await outbox.parts(pathId(c, 'id'));
      const [first] = parts;
      if (!first) throw notFound();
      return c.json({
        id: first.messageId,
        kind: first.kind,
        clientId: first.clientId,
        status: statusOf(parts),
        sandbox: first.sandbox,
        ...about(first.kind, first.payload),
        dateCreated: isoTime(first.dateCreated),
        parts: parts.map(shownPart),
      });
    }),
  );

  endpoint(
    app,
    'post',
    '/api/admin/messages/resend',
    {
      summary: 'Send ended messages once more',
      tags,
      security,
      body: { 'application/json': many },
      answers: {
        200: { description: 'Those that are sent again. What is unknown or still waits is left out.', schema: resent },
      },
      problems: ['login_required', 'admin_required', 'invalid_request'],
    },
    admin(async (c) => {
      const { ids } = await readJson(c, many);
      const again: string[] = [];
      const kinds = new Set<string>();
      for (const id of ids) {
        const kind = await database.transaction((trx) => outbox.reopen(trx, id));
        if (kind === null) continue;
        again.push(id);
        kinds.add(kind);
      }
      for (const kind of kinds) outbox.wake(kind);
      return c.json({ resent: again });
    }),
  );

  endpoint(
    app,
    'post',
    '/api/admin/messages/{id}/cancel',
    {
      summary: 'Cancel what is not yet sent',
      tags,
      security,
      answers: { 204: { description: 'Cancelled.', schema: null } },
      problems: ['login_required', 'admin_required', 'not_found', 'not_cancellable'],
    },
    admin(async (c) => {
      const id = pathId(c, 'id');
      const cancelled = await database.transaction((trx) => outbox.cancel(trx, id));
      if (cancelled > 0) return c.body(null, 204);
      if ((await outbox.parts(id)).length === 0) throw notFound();
      throw new Problem('not_cancellable', 'The message has ended or is on its way.');
    }),
  );
}

function shownPart({ part: number, status, attempts, error, errorCode, payload, result }: OutboxMessage) {
  return { part: number, status, attempts, error, errorCode, payload, result };
}
