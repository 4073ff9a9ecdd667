import { Api, GrammyError, HttpError } from 'grammy';
import { type Clock, SECOND } from '../../kernel/clock.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { Claimed, Delivery, Transport } from '../../kernel/outbox/message.ts';
import { HELD } from '../../kernel/outbox/settling.ts';
import type { Clients } from '../clients.ts';
import type { TelegramPayload, TelegramResult } from '../payload.ts';
import type { TelegramLimits } from './telegram-limits.ts';

export const TELEGRAM_KIND = 'telegram';

/** So much of the text stands for it in lists. */
const TITLE_LENGTH = 120;
const CONCURRENCY = 30;
const TIMEOUT_SECONDS = 30;
/** A wait this short is spent here; a longer one gives the place to another message. */
const SHORT_WAIT_MS = 1_200;

interface TelegramParts {
  apiUrl: string;
  /** The server's own bot; null = sandbox. */
  token: string | null;
  clients: Clients;
  limits: TelegramLimits;
  database: Database;
  clock: Clock;
}

/** Delivers Telegram messages; those of the sandbox stay here. */
export function createTelegramTransport({ apiUrl, token, clients, limits, database, clock }: TelegramParts): Transport {
  return {
    kind: TELEGRAM_KIND,
    concurrency: CONCURRENCY,
    about(payload) {
      const { plain, recipient } = payload as TelegramPayload;
      return { title: plain.slice(0, TITLE_LENGTH), to: [recipient] };
    },
    async deliver(message, signal) {
      const payload = message.payload as TelegramPayload;
      if (message.sandbox) return { outcome: 'sent', result: { messageId: 0, ...refusedNote(payload) } satisfies TelegramResult };
      const botToken = await tokenOf(message, payload);
      if (botToken === null && payload.bot === 'caller')
        return { outcome: 'refused', code: 'token_erased', reason: 'the bot token of the first sending is no longer kept' };
      if (botToken === null)
        return { outcome: 'later', code: 'telegram_unconfigured', reason: 'no bot token is configured for this message any more' };
      const chatId = await currentChat(payload.recipient);
      const wait = limits.take(botToken, chatId, message.errorCode === HELD);
      if (wait > SHORT_WAIT_MS) return { outcome: 'held', reason: 'waits for the platform’s limits', untilMs: clock.now() + wait };
      if (wait > 0) {
        await Bun.sleep(wait);
        const more = limits.take(botToken, chatId, true);
        if (more > 0) return { outcome: 'held', reason: 'waits for the platform’s limits', untilMs: clock.now() + more };
      }
      // No connection is reused: one that the server has closed meanwhile could not be told from a message without an answer.
      const api = new Api(botToken, { apiRoot: apiUrl, timeoutSeconds: TIMEOUT_SECONDS, fetch: fetchWithAnswers });
      return await attempt(api, payload, chatId, signal);
    },
  };

  async function tokenOf(message: Claimed, payload: TelegramPayload): Promise<string | null> {
    if (payload.bot === 'caller') return message.secret;
    if (payload.bot === 'client') return message.clientId === null ? null : await clients.telegramToken(message.clientId);
    return token;
  }

  async function currentChat(chatId: string): Promise<string> {
    const moved = await database.read
      .selectFrom('mail_telegram_moves')
      .select('new_chat_id')
      .where('chat_id', '=', chatId)
      .executeTakeFirst();
    return moved?.new_chat_id ?? chatId;
  }

  async function attempt(api: Api, payload: TelegramPayload, chatId: string, signal: AbortSignal): Promise<Delivery> {
    try {
      return sent(await hand(api, payload, chatId, signal), payload);
    } catch (error) {
      if (signal.aborted) throw error;
      if (!(error instanceof GrammyError)) return withoutAnswer(error);
      const moved = error.parameters.migrate_to_chat_id;
      if (moved !== undefined && String(moved) !== chatId) {
        await noteMove(chatId, String(moved));
        return await attempt(api, payload, String(moved), signal);
      }
      const formatted = payload.parseMode !== null || payload.entities.length > 0;
      if (formatted && error.error_code === 400 && /entit|tag|markup/i.test(error.description)) {
        return await attempt(api, { ...payload, text: payload.plain, parseMode: null, entities: [], markupRefused: true }, chatId, signal);
      }
      return refusal(error, payload);
    }
  }

  async function noteMove(chatId: string, newChatId: string): Promise<void> {
    await database.transaction((trx) =>
      trx
        .insertInto('mail_telegram_moves')
        .values({ chat_id: chatId, new_chat_id: newChatId })
        .onConflict((conflict) => conflict.column('chat_id').doUpdateSet({ new_chat_id: newChatId }))
        .execute(),
    );
  }
}

async function hand(api: Api, payload: TelegramPayload, chatId: string, signal: AbortSignal): Promise<number> {
  const { message_id } = await api.raw.sendMessage(
    {
      chat_id: chatId,
      text: payload.text,
      ...(payload.parseMode === null ? {} : { parse_mode: payload.parseMode }),
      ...(payload.entities.length === 0 ? {} : { entities: payload.entities as never }),
      ...(payload.silent ? { disable_notification: true } : {}),
      ...(payload.noPreview ? { link_preview_options: { is_disabled: true } } : {}),
    },
    signal as never,
  );
  return message_id;
}

function sent(messageId: number, payload: TelegramPayload): Delivery {
  return { outcome: 'sent', result: { messageId, ...refusedNote(payload) } satisfies TelegramResult };
}

function refusedNote({ markupRefused }: TelegramPayload): Pick<TelegramResult, 'markupRefused'> {
  return markupRefused ? { markupRefused } : {};
}

/** https://core.telegram.org/bots/api#making-requests: an answer that is not ok, with its code and description. */
function refusal({ error_code: code, description: reason, parameters }: GrammyError, { bot }: TelegramPayload): Delivery {
  if (code === 429) {
    return { outcome: 'later', code: 'telegram_limit', reason, retryAfterMs: (parameters.retry_after ?? 1) * SECOND };
  }
  if (code >= 500) return { outcome: 'later', code: 'telegram_trouble', reason };
  // 401 and 404 speak of the token: a caller's is wrong for good, ours is the operator's to mend.
  if ((code === 401 || code === 404) && bot !== 'caller') return { outcome: 'later', code: 'telegram_sign_in', reason };
  return { outcome: 'refused', code: 'telegram_refused', reason };
}

/** Errors of a connection that never came to be: the message was certainly not handed over. */
const NOT_CONNECTED = /refused|notfound|eai_again|ehostunreach|enetunreach|failedtoopensocket|cert|self_signed|unable_to|err_tls/i;

function withoutAnswer(error: unknown): Delivery {
  const cause = error instanceof HttpError ? error.error : error;
  const code = String((cause as { code?: unknown } | null)?.code ?? '');
  if (NOT_CONNECTED.test(code)) return { outcome: 'later', code: 'telegram_unreachable', reason: 'the Telegram server cannot be reached' };
  return { outcome: 'unknown', reason: 'the Telegram server did not answer after the message was handed over' };
}

/** Turns an answer that is no JSON (a proxy's 502) into one of Telegram's form, so that its status is not lost. */
const fetchWithAnswers = (async (input: string, init: RequestInit) => {
  const response = await fetch(input, { ...init, keepalive: false, redirect: 'error' });
  const text = await response.text();
  try {
    if (typeof (JSON.parse(text) as { ok?: unknown }).ok === 'boolean') return new Response(text, response);
  } catch {
    // Not JSON: told below by its status alone.
  }
  return Response.json({ ok: false, error_code: response.status, description: `status ${response.status}` });
}) as unknown as typeof fetch;
