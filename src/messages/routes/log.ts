import { z } from '@hono/zod-openapi';
import type { Guard } from '../../identity/guard.ts';
import { isoTime } from '../../kernel/clock.ts';
import type { App } from '../../kernel/http/context.ts';
import { endpoint } from '../../kernel/http/endpoint.ts';
import { addNextLink } from '../../kernel/http/next-link.ts';
import { guid, optionalFlag } from '../../kernel/http/params.ts';
import { messageStatus } from '../../kernel/outbox/message-status.ts';
import type { Outbox } from '../../kernel/outbox/outbox.ts';
import { notFound } from '../../kernel/problem.ts';
import { timeField } from '../../kernel/shared-fields.ts';
import type { History } from '../history.ts';
import {
  type Describe,
  detailedMessage,
  messageRecord,
  messageSchema,
  messageStatuses,
  partRecord,
} from './records.ts';

interface MessageLogDeps {
  outbox: Outbox;
  history: History;
  guard: Guard;
  describe: Describe;
  /** The kinds of messages of all services. */
  kinds: readonly string[];
}

const STATISTICS_HOURS = 48;

const instant = timeField.transform((time) => Date.parse(time)).optional();
const listQuery = z.object({
  status: messageStatuses.optional(),
  clientId: z.string().optional(),
  sandbox: optionalFlag,
  search: z.string().max(200).optional(),
  recipient: z.string().max(320).optional().openapi({ description: 'Address, chat or channel id' }),
  since: instant.openapi({ description: 'Accepted at this time or later' }),
  until: instant.openapi({ description: 'Accepted before this time' }),
  before: z.uuid().optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});
const statistics = z.object({
  hours: z.array(z.object({ hour: z.iso.datetime(), kind: z.string(), accepted: z.int(), failed: z.int() })),
  waiting: z.array(z.object({ kind: z.string(), clientId: z.string().nullable(), since: z.iso.datetime() })),
});

/** The log of all messages: list, statistics, one message. */
export function mountMessageLog(app: App, deps: MessageLogDeps): void {
  const { outbox, history, guard, describe, kinds } = deps;
  const shared = { method: 'get', tags: ['messages'], auth: guard.admin } as const;

  endpoint(app, {
    ...shared,
    path: '/api/admin/messages',
    operation: 'listMessages',
    summary: 'List messages of all kinds',
    query: listQuery.extend({ kind: z.enum(kinds).optional() }),
    responses: {
      200: {
        description:
          'A page, newest first. `Link: <…>; rel="next"` (RFC 8288) links to older messages. A page with text ' +
          'or several filters ends after 50,000 messages, and may be empty even if older ones match.',
        schema: z.array(messageSchema),
      },
    },
    async handler({ c, query }) {
      const { messages, older } = await history.list(query);
      addNextLink(c, older, 'before');
      return messages.map((message) => messageRecord(message, describe));
    },
  });

  // Before `/api/admin/messages/{id}`, which matches this path too.
  endpoint(app, {
    ...shared,
    path: '/api/admin/messages/statistics',
    operation: 'getMessageStatistics',
    summary: 'Count the messages of the last two days',
    responses: {
      200: {
        description: 'Counts by hour and kind, and the times at which the oldest queued messages became due.',
        schema: statistics,
      },
    },
    handler: () => readStatistics(history),
  });

  endpoint(app, {
    ...shared,
    path: '/api/admin/messages/{id}',
    operation: 'getMessage',
    summary: 'Get a message with its content',
    params: { id: guid },
    responses: { 200: { description: 'The message and its parts.', schema: detailedMessage } },
    async handler({ c, params: { id } }) {
      await c.env.giveWay();
      return await readMessage(outbox, describe, id);
    },
  });
}

async function readStatistics(history: History): Promise<z.input<typeof statistics>> {
  const hours = await history.perHour(STATISTICS_HOURS);
  const waiting = await history.oldestWaiting();
  return {
    hours: hours.map((row) => ({ ...row, hour: isoTime(row.hour) })),
    waiting: waiting.map((row) => ({ ...row, since: isoTime(row.since) })),
  };
}

async function readMessage(outbox: Outbox, describe: Describe, messageId: string) {
  const messages = await outbox.parts(messageId);
  const [first] = messages;
  if (!first) throw notFound();
  const { messageId: id, kind, clientId, sandbox, payload, dateCreated } = first;
  return {
    id,
    kind,
    clientId,
    sandbox,
    ...describe(kind, payload),
    status: messageStatus(messages),
    dateCreated: isoTime(dateCreated),
    parts: messages.map(partRecord),
  };
}
