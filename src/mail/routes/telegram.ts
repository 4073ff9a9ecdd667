import { json } from '../../kernel/http/bodies/request-body.ts';
import type { App } from '../../kernel/http/context.ts';
import { deliveryHeaders, deliveryOptions } from '../../kernel/http/delivery-headers.ts';
import { endpoint } from '../../kernel/http/endpoint.ts';
import { fingerprintFor } from '../../kernel/outbox/idempotency.ts';
import { telegramRequestSchema } from '../compose/telegram/request.ts';
import type { SendTelegram } from '../sending/send-telegram.ts';
import { type ClientAuth, credentialsSchema, withoutCredentials } from './client-auth.ts';
import { responseHeaders, sendResponses } from './responses.ts';

const path = '/requesttelegram';

/** `POST /requesttelegram`: sends a Telegram message. */
export function mountTelegram(
  app: App,
  { clientAuth, sendTelegram }: { clientAuth: ClientAuth; sendTelegram: SendTelegram },
): void {
  endpoint(app, {
    method: 'post',
    path,
    operation: 'sendTelegram',
    summary: 'Send a Telegram message',
    tags: ['mail'],
    auth: clientAuth.clientOf('telegram'),
    headers: deliveryHeaders,
    body: withoutCredentials(json(credentialsSchema.extend(telegramRequestSchema.shape))),
    responses: sendResponses,
    problems: ['idempotency_conflict', 'platform_rejected'],
    async handler({ caller, headers, body, reply }) {
      const { BotToken: _, ...content } = body;
      const delivery = deliveryOptions(headers);
      const result = await sendTelegram({
        route: path,
        client: caller,
        delivery,
        fingerprint: fingerprintFor(delivery, () => content),
        request: body,
      });
      return reply(result.status, result.body, responseHeaders(result));
    },
  });
}
