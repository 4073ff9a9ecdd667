import type { Api, GrammyError } from 'grammy';
import { z } from 'zod';
import { SECOND } from '../../kernel/clock.ts';
import type { Database } from '../../kernel/database/database.ts';
import { codeOf } from '../../kernel/errors/code-of.ts';
import {
  type Claimed,
  type Delivery,
  HELD,
  held,
  later,
  refused,
  type Transport,
} from '../../kernel/outbox/message.ts';
import type { Clients } from '../clients/clients.ts';
import { TELEGRAM_KIND, type TelegramPayload, type TelegramResult } from '../payload.ts';
import { ForeignResponse, fetchWithAnswers } from './telegram-answers.ts';
import type { TelegramLimit } from './telegram-limit.ts';
import { createTelegramReach } from './telegram-reach.ts';

/** Length of the text that lists show. */
const TITLE_LENGTH = 120;
const CONCURRENCY = 30;
const TIMEOUT_SECONDS = 30;
/** Longest wait within a delivery; for a longer one, the outbox holds the message. */
const SHORT_WAIT_MS = 1_200;

interface TelegramDeps {
  apiUrl: string;
  /** Token of the server's own bot; null = sandbox. */
  token: string | null;
  clients: Clients;
  limit: TelegramLimit;
  database: Database;
}

/** Delivers Telegram messages; those of the sandbox are not sent. */
export function createTelegramTransport(deps: TelegramDeps): Transport {
  const { apiUrl, database } = deps;
  const reach = createTelegramReach();
  return {
    kind: TELEGRAM_KIND,
    concurrency: CONCURRENCY,
    isShared: false,
    about(payload) {
      const { plain, recipient } = payload as TelegramPayload;
      return { title: plain.slice(0, TITLE_LENGTH), to: [recipient] };
    },
    async deliver(message, signal) {
      const payload = message.payload as TelegramPayload;
      if (message.sandbox) return sent(0, payload);
      const botToken = await tokenOf(message, payload, deps);
      if (botToken === null) return withoutToken(payload);
      const { Api } = await import('grammy');
      // No connection is reused: a message on one that was just closed would look like one without a response.
      const options = { apiRoot: apiUrl, timeoutSeconds: TIMEOUT_SECONDS, fetch: fetchWithAnswers };
      const api = new Api(botToken, options);
      if (!(await reach.answers(api))) return unreachable();
      const chatId = await currentChat(database, payload.recipient);
      const waitMs = await waitForLimit(deps.limit, botToken, chatId, message.errorCode === HELD);
      if (waitMs > 0) return held('waits for the platform’s limits', waitMs);
      const delivery = await attempt({ api, chatId, payload }, database, signal);
      if (delivery.outcome === 'unknown') reach.unanswered();
      return delivery;
    },
  };
}

async function tokenOf(
  message: Claimed,
  payload: TelegramPayload,
  { clients, token }: TelegramDeps,
): Promise<string | null> {
  if (payload.bot === 'caller') return message.secret;
  if (payload.bot === 'client')
    return message.clientId === null ? null : await clients.telegramToken(message.clientId);
  return token;
}

function withoutToken({ bot }: TelegramPayload): Delivery {
  return bot === 'caller'
    ? refused('token_erased', 'the bot token was erased when the message reached its final status')
    : later('telegram_unconfigured', 'a bot token is no longer configured for this message');
}

/**
 * Counts one message toward the platform's limits, after a short wait if necessary, and returns 0; or counts
 * none and returns a longer wait in ms.
 */
async function waitForLimit(
  limit: TelegramLimit,
  botToken: string,
  chatId: string,
  waited: boolean,
): Promise<number> {
  const waitMs = limit(botToken, chatId, waited);
  if (waitMs === 0 || waitMs > SHORT_WAIT_MS) return waitMs;
  await Bun.sleep(waitMs);
  return limit(botToken, chatId, true);
}

/** Returns the id of the supergroup that a group became, else `recipient`. */
async function currentChat({ read }: Database, recipient: string): Promise<string> {
  const moved = await read
    .selectFrom('mail_telegram_moves')
    .select('new_chat_id')
    .where('chat_id', '=', recipient)
    .executeTakeFirst();
  return moved?.new_chat_id ?? recipient;
}

interface Sending {
  api: Api;
  chatId: string;
  payload: TelegramPayload;
  /** True = this delivery has followed a move of the group. */
  hasMoved?: boolean;
}

async function attempt(sending: Sending, database: Database, signal: AbortSignal): Promise<Delivery> {
  const { chatId, payload } = sending;
  try {
    return sent(await send(sending, signal), payload);
  } catch (error) {
    if (signal.aborted) throw error;
    const { GrammyError, HttpError } = await import('grammy');
    if (!(error instanceof GrammyError))
      return withoutAnswer(error instanceof HttpError ? error.error : error);
    const moved = error.parameters.migrate_to_chat_id;
    if (moved !== undefined && String(moved) !== chatId) {
      await recordMove(database, payload.recipient, String(moved));
      // A server that moves the group with every response must not keep the delivery running.
      if (sending.hasMoved) return later('telegram_trouble', error.description);
      return await attempt({ ...sending, chatId: String(moved), hasMoved: true }, database, signal);
    }
    if (!isMarkupRefused(error, payload)) return refusal(error, payload);
    const plain = { text: payload.plain, parseMode: null, entities: [], markupRefused: true as const };
    return await attempt({ ...sending, payload: { ...payload, ...plain } }, database, signal);
  }
}

function isMarkupRefused(error: GrammyError, { parseMode, entities }: TelegramPayload): boolean {
  const formatted = parseMode !== null || entities.length > 0;
  return formatted && error.error_code === 400 && /entit|tag|markup/i.test(error.description);
}

/** Stores the current id of a recipient. There is one row for each, however often it moves. */
async function recordMove(database: Database, recipient: string, newChatId: string): Promise<void> {
  await database.transaction((trx) =>
    trx
      .insertInto('mail_telegram_moves')
      .values({ chat_id: recipient, new_chat_id: newChatId })
      .onConflict((conflict) => conflict.column('chat_id').doUpdateSet({ new_chat_id: newChatId }))
      .execute(),
  );
}

/** The fields of a `Message` that are used (https://core.telegram.org/bots/api#message). */
const sentMessage = z.looseObject({ message_id: z.int() });

/** @throws ZodError when the result is not a message */
async function send({ api, chatId, payload }: Sending, signal: AbortSignal): Promise<number> {
  const result = await api.raw.sendMessage(
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
  return sentMessage.parse(result).message_id;
}

function sent(messageId: number, { markupRefused }: TelegramPayload): Delivery {
  return {
    outcome: 'sent',
    result: { messageId, ...(markupRefused && { markupRefused }) } satisfies TelegramResult,
  };
}

/** Maps a response that is not `ok` (https://core.telegram.org/bots/api#making-requests). */
function refusal(
  { error_code: code, description: reason, parameters }: GrammyError,
  { bot }: TelegramPayload,
): Delivery {
  if (code === 429) return later('telegram_limit', reason, (parameters.retry_after ?? 1) * SECOND);
  if (code >= 500) return later('telegram_trouble', reason);
  // 401 and 404 are about the token: a caller's token stays wrong; the operator can correct that of the server.
  if ((code === 401 || code === 404) && bot !== 'caller') return later('telegram_sign_in', reason);
  return refused('telegram_refused', reason);
}

/** Errors of a connection that was never established: the message was certainly not sent. */
const NOT_CONNECTED =
  /refused|notfound|eai_again|ehostunreach|enetunreach|failedtoopensocket|cert|self_signed|unable_to|err_tls/i;

const unreachable = () => later('telegram_unreachable', 'the Telegram server cannot be reached');

/** @param cause error of the connection or of the response */
function withoutAnswer(cause: unknown): Delivery {
  if (cause instanceof ForeignResponse && !cause.isSuccess) return later('telegram_trouble', cause.message);
  const code = String(codeOf(cause) ?? '');
  if (NOT_CONNECTED.test(code)) return unreachable();
  const reason =
    cause instanceof ForeignResponse || cause instanceof z.ZodError
      ? 'the response after the message was sent did not come from Telegram'
      : 'the Telegram server did not respond after the message was sent';
  return { outcome: 'unknown', reason };
}
