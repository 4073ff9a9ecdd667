import { z } from '@hono/zod-openapi';
import type { Guard } from '../../../identity/guard.ts';
import { readJson } from '../../../kernel/http/body.ts';
import type { App } from '../../../kernel/http/context.ts';
import { endpoint } from '../../../kernel/http/endpoint.ts';
import { newId } from '../../../kernel/ids.ts';
import { type Accept, readDeliveryWishes } from '../../../kernel/outbox/acceptance.ts';
import type { Clients } from '../../clients.ts';
import { composeTelegram, telegramRequestSchema } from '../../compose/telegram.ts';
import type { TelegramPayload } from '../../payload.ts';
import { TELEGRAM_KIND } from '../../transports/telegram.ts';
import { respond, sendAnswerSchema, telegramAnswer } from '../answers.ts';
import { fieldsOf } from '../callers.ts';
import { ADMIN, clientToTry, WRITES } from './parts.ts';

const wanted = z.object({
  to: z.string().openapi({ description: '`@channel`, channel id or user id' }),
  message: z.string(),
  clientId: z.string().optional().openapi({ description: 'Whose bot is tried; left out = the server’s own' }),
});

interface TestTelegramParts {
  accept: Accept;
  clients: Clients;
  /** The server has a bot of its own. */
  configured: boolean;
  guard: Guard;
}

/** Sends a Telegram message from the admin pages, to try the server’s bot, or a client’s. */
export function mountTestTelegram(app: App, { accept, clients, configured, guard }: TestTelegramParts): void {
  endpoint(
    app,
    'post',
    '/api/admin/mail/test-telegram',
    {
      ...ADMIN,
      summary: 'Send a Telegram message to try the server’s bot, or a client’s',
      body: { 'application/json': wanted },
      answers: {
        200: { description: 'Telegram took it.', schema: sendAnswerSchema },
        202: { description: 'It is stored, and will be sent.', schema: sendAnswerSchema },
      },
      problems: [...WRITES, 'platform_rejected'],
    },
    async (c) => {
      await guard.requireAdmin(c);
      const { to, message, clientId } = await readJson(c, wanted);
      const client = await clientToTry(clients, clientId);
      const bot = client?.has.telegramToken ? 'client' : 'default';
      const sandbox = bot === 'default' && !configured;
      const request = fieldsOf(telegramRequestSchema, { Recipients: [to], Message: message });
      const recipients = [...request.Recipients];
      const contents = composeTelegram(request);
      const answer = await accept({
        route: '/api/admin/mail/test-telegram',
        clientId: client?.id ?? '',
        delivery: { ...readDeliveryWishes(c), idempotencyKey: null },
        fingerprint: '',
        compose: (messageId) =>
          contents.map((content, part) => ({
            id: newId(),
            messageId,
            part,
            kind: TELEGRAM_KIND,
            clientId: client?.id ?? null,
            lane: `telegram ${bot === 'client' ? `client ${clientId}` : bot} ${to}`,
            payload: { ...content, recipient: to, bot, silent: false, noPreview: false } satisfies TelegramPayload,
            sandbox,
          })),
        answer: (messageId, parts) => telegramAnswer(messageId, recipients, parts, sandbox),
      });
      return respond(c, answer);
    },
  );
}
