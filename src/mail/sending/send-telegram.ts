import { digestOf } from '../../kernel/crypto/digest.ts';
import { newId } from '../../kernel/ids.ts';
import type { Accept } from '../../kernel/outbox/accept.ts';
import type { Acceptance } from '../../kernel/outbox/acceptance.ts';
import type { NewMessage } from '../../kernel/outbox/message.ts';
import type { Client } from '../clients/clients.ts';
import type { Rendering } from '../compose/rendering/rendering.ts';
import type { TelegramRequest } from '../compose/telegram/request.ts';
import { TELEGRAM_KIND, type TelegramPayload } from '../payload.ts';
import { type SendResult, telegramResponse } from './results.ts';
import { telegramLane } from './telegram-lane.ts';

interface SendTelegramDeps {
  accept: Accept;
  rendering: Rendering;
  /** Whether the server has a configured bot. */
  configured: boolean;
}

interface TelegramSending extends Pick<Acceptance, 'route' | 'delivery' | 'fingerprint'> {
  /** Null = the server itself. */
  client: Client | null;
  request: TelegramRequest;
  /** Attempts it only once. */
  once?: true;
}

/**
 * Stores a Telegram message and waits for the first attempt.
 * @throws Problem 400 that names `Message`, 409 `idempotency_conflict`, 502 `platform_rejected`
 */
export type SendTelegram = (sending: TelegramSending) => Promise<SendResult>;

export function createSendTelegram({ accept, rendering, configured }: SendTelegramDeps): SendTelegram {
  return async ({ client, request, once, ...acceptance }) => {
    const recipients = [...new Set(request.Recipients)];
    const owner = `client ${client?.id ?? ''}`;
    const segments = await rendering.telegram(owner, { ...request, Recipients: recipients });
    const bot = request.BotToken !== undefined ? 'caller' : client?.has.telegramToken ? 'client' : 'default';
    const sandbox = bot === 'default' && !configured;
    const options = {
      bot,
      silent: request.DisableNotification ?? false,
      noPreview: request.DisableLinkPreview ?? false,
      ...(once ? { once } : {}),
    } as const;
    const common = { kind: TELEGRAM_KIND, clientId: client?.id ?? null, secret: request.BotToken, sandbox };
    /** Returns a row for each segment of the text and each recipient. */
    const compose = (messageId: string): NewMessage[] =>
      recipients.flatMap((recipient, index) =>
        segments.map((segment, offset) => ({
          ...common,
          id: newId(),
          messageId,
          part: index * segments.length + offset,
          lane: telegramLane(botName(bot, request, client), recipient),
          payload: { ...segment, ...options, recipient } satisfies TelegramPayload,
        })),
      );
    const result = await accept({
      ...acceptance,
      clientId: client?.id ?? '',
      compose,
      answer: (messageId, attempted) =>
        telegramResponse(messageId, { recipients, parts: attempted?.parts ?? [], sandbox }),
    });
    return result as SendResult;
  };
}

function botName(bot: TelegramPayload['bot'], { BotToken }: TelegramRequest, client: Client | null): string {
  // Lanes are stored and may be logged. The number before the colon would be the same in a forged token.
  if (bot === 'caller') return `caller ${digestOf(BotToken ?? '')}`;
  return bot === 'client' ? `client ${client?.id}` : bot;
}
