import { z } from '@hono/zod-openapi';
import type { Guard } from '../../../identity/guard.ts';
import { readJson } from '../../../kernel/http/body.ts';
import type { App } from '../../../kernel/http/context.ts';
import { endpoint } from '../../../kernel/http/endpoint.ts';
import { newId } from '../../../kernel/ids.ts';
import { type Accept, readDeliveryWishes } from '../../../kernel/outbox/acceptance.ts';
import { composeTelegram, telegramRequestSchema } from '../../compose/telegram.ts';
import type { TelegramPayload } from '../../payload.ts';
import { TELEGRAM_KIND } from '../../transports/telegram.ts';
import { respond, sendAnswerSchema, telegramAnswer } from '../answers.ts';
import { fieldsOf } from '../callers.ts';
import { ADMIN, WRITES } from './parts.ts';

const wanted = z.object({
  to: z.string().openapi({ description: '`@channel`, channel id or user id' }),
  message: z.string(),
});

interface TestTelegramParts {
  accept: Accept;
  /** The server has a bot of its own. */
  configured: boolean;
  guard: Guard;
}

/** Sends a Telegram message from the admin pages, to try the server's bot. */
export function mountTestTelegram(app: App, { accept, configured, guard }: TestTelegramParts): void {
  endpoint(
    app,
    'post',
    '/api/admin/mail/test-telegram',
    {
      ...ADMIN,
      summary: 'Send a Telegram message to try the server’s bot',
      body: { 'application/json': wanted },
      answers: {
        200: { description: 'Telegram took it.', schema: sendAnswerSchema },
        202: { description: 'It is stored, and will be sent.', schema: sendAnswerSchema },
      },
      problems: [...WRITES, 'platform_rejected'],
    },
    async (c) => {
      await guard.requireAdmin(c);
      const { to, message } = await readJson(c, wanted);
      const request = fieldsOf(telegramRequestSchema, { Recipients: [to], Message: message });
      const recipients = [...request.Recipients];
      const contents = composeTelegram(request);
      const answer = await accept({
        route: '/api/admin/mail/test-telegram',
        clientId: '',
        delivery: { ...readDeliveryWishes(c), idempotencyKey: null },
        fingerprint: '',
        compose: (messageId) =>
          contents.map((content, part) => ({
            id: newId(),
            messageId,
            part,
            kind: TELEGRAM_KIND,
            clientId: null,
            lane: `telegram default ${to}`,
            payload: { ...content, recipient: to, bot: 'default', silent: false, noPreview: false } satisfies TelegramPayload,
            sandbox: !configured,
          })),
        answer: (messageId, parts) => telegramAnswer(messageId, recipients, parts, !configured),
      });
      return respond(c, answer);
    },
  );
}
