import { readJsonValue } from '../../kernel/http/body.ts';
import type { App } from '../../kernel/http/context.ts';
import { endpoint } from '../../kernel/http/endpoint.ts';
import { newId } from '../../kernel/ids.ts';
import { type Accept, fingerprintOf, readDeliveryWishes } from '../../kernel/outbox/acceptance.ts';
import type { NewMessage } from '../../kernel/outbox/message.ts';
import type { Client } from '../clients.ts';
import { composeTelegram, type TelegramRequest, telegramRequestSchema } from '../compose/telegram.ts';
import type { Authenticate } from '../credentials.ts';
import type { TelegramContent, TelegramPayload } from '../payload.ts';
import { TELEGRAM_KIND } from '../transports/telegram.ts';
import { respond, sendAnswerSchema, telegramAnswer } from './answers.ts';
import { callerOf, credentialsSchema, fieldsOf } from './callers.ts';

interface TelegramRouteParts {
  authenticate: Authenticate;
  accept: Accept;
  /** The server has a bot of its own. */
  configured: boolean;
}

/** `POST /requesttelegram`: takes a message for Telegram and sends it. */
export function mountTelegram(app: App, { authenticate, accept, configured }: TelegramRouteParts): void {
  endpoint(
    app,
    'post',
    '/requesttelegram',
    {
      summary: 'Send a Telegram message',
      tags: ['mail'],
      body: { 'application/json': credentialsSchema.extend(telegramRequestSchema.shape) },
      answers: {
        200: { description: 'Telegram took it, for some recipients at least.', schema: sendAnswerSchema },
        202: { description: 'It is stored, and will be sent.', schema: sendAnswerSchema },
      },
      problems: [
        'invalid_request',
        'bad_client',
        'service_not_allowed',
        'idempotency_conflict',
        'body_too_large',
        'unsupported_media_type',
        'too_many_attempts',
        'platform_rejected',
      ],
    },
    async (c) => {
      const wishes = readDeliveryWishes(c);
      const body = await readJsonValue(c);
      const client = await callerOf(c, body, authenticate, 'telegram');
      const request = fieldsOf(telegramRequestSchema, body);
      const { BotToken: _, ...open } = request;
      const recipients = [...new Set(request.Recipients)];
      const contents = composeTelegram({ ...request, Recipients: recipients });
      const bot = request.BotToken !== undefined ? 'caller' : client.has.telegramToken ? 'client' : 'default';
      const sandbox = bot === 'default' && !configured;
      const answer = await accept({
        route: '/requesttelegram',
        clientId: client.id,
        delivery: wishes,
        fingerprint: wishes.idempotencyKey === null ? '' : fingerprintOf(open),
        compose: (messageId) => rowsOf(messageId, { request, recipients, contents, client, bot, sandbox }),
        answer: (messageId, parts) => telegramAnswer(messageId, recipients, parts, sandbox),
      });
      return respond(c, answer);
    },
  );
}

interface Row {
  request: TelegramRequest;
  recipients: readonly string[];
  contents: readonly TelegramContent[];
  client: Client;
  bot: TelegramPayload['bot'];
  sandbox: boolean;
}

/** A row for each piece of the text and each recipient; those to one chat go out in order. */
function rowsOf(messageId: string, { request, recipients, contents, client, bot, sandbox }: Row): NewMessage[] {
  // The number before the colon is the bot's id, and no secret.
  const botName = bot === 'caller' ? `caller ${request.BotToken?.split(':')[0]}` : bot === 'client' ? `client ${client.id}` : bot;
  return recipients.flatMap((recipient, index) =>
    contents.map((content, piece) => ({
      id: newId(),
      messageId,
      part: index * contents.length + piece,
      kind: TELEGRAM_KIND,
      clientId: client.id,
      lane: `telegram ${botName} ${recipient}`,
      payload: {
        ...content,
        recipient,
        bot,
        silent: request.DisableNotification ?? false,
        noPreview: request.DisableLinkPreview ?? false,
      } satisfies TelegramPayload,
      secret: request.BotToken,
      sandbox,
    })),
  );
}
