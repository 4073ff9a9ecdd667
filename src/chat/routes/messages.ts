import { isoTime } from '../../kernel/clock.ts';
import type { App } from '../../kernel/http/context.ts';
import { endpoint, pathId } from '../../kernel/http/endpoint.ts';
import { notFound } from '../../kernel/http/problem.ts';
import { statusOf } from '../../kernel/outbox/history.ts';
import type { Outbox } from '../../kernel/outbox/outbox.ts';
import { CHAT } from '../sender.ts';
import type { Callers } from './callers.ts';
import { statusAnswer } from './schemas.ts';

/** What became of a message, for whoever knows its id; nothing of its text. */
export function mountMessageStatus(app: App, { callers, outbox }: { callers: Callers; outbox: Outbox }): void {
  endpoint(
    app,
    'get',
    '/api/chatbot/messages/{id}',
    {
      summary: 'What became of a chat message',
      tags: ['chat'],
      answers: { 200: { description: 'Its state; `attempts` are those of the part that took most.', schema: statusAnswer } },
      problems: ['not_found', 'rate_limited'],
    },
    async (c) => {
      callers.requireCalm(c);
      const parts = await outbox.parts(pathId(c, 'id'));
      const [first] = parts;
      if (first?.kind !== CHAT) throw notFound();
      return c.json({
        id: first.messageId,
        status: statusOf(parts),
        attempts: Math.max(...parts.map(({ attempts }) => attempts)),
        dateCreated: isoTime(first.dateCreated),
        ...(first.sandbox ? { sandbox: true } : {}),
      });
    },
  );
}
