import type { Clock } from '../../kernel/clock.ts';
import type { Database, Transaction } from '../../kernel/database/database.ts';
import type { ShortRequests } from '../../kernel/event-loop/short-requests.ts';
import { createTimeSlices } from '../../kernel/event-loop/time-slices.ts';
import { newId } from '../../kernel/ids.ts';
import type { SharedRates } from '../../kernel/limits/shared-rates.ts';
import { createAccept } from '../../kernel/outbox/accept.ts';
import type { Acceptance, Answer, Arrival, DeliveryOptions } from '../../kernel/outbox/acceptance.ts';
import { fingerprintFor } from '../../kernel/outbox/idempotency.ts';
import type { NewMessage, PartState } from '../../kernel/outbox/message.ts';
import { messageStatus } from '../../kernel/outbox/message-status.ts';
import type { Outbox } from '../../kernel/outbox/outbox.ts';
import { Problem, tooMany } from '../../kernel/problem.ts';
import type { OutboxStatus } from '../../kernel/tables.ts';
import { type ChatMessage, compose, type Post } from '../compose/compose.ts';
import type { Target } from '../directory/targets.ts';
import { laneOf } from '../platform/pauses.ts';
import { CHAT_EDIT, type Folding, foldKeyOf } from './folding.ts';
import { CHAT, type ChatPayload, type ChatResult } from './payload.ts';

export interface ChatSendRequest extends ChatMessage {
  /** Messages with the same key are repeats of each other, with any text. */
  dedupeKey?: string;
}

export interface SendAnswer {
  id: string;
  status: OutboxStatus;
  platformMessageId?: string | null;
  url?: string | null;
  /** Why it waits after an attempt: a `reason` of canSendMessage. */
  reason?: string;
  detail?: string;
  /** Number of times the message was sent, when it folded into an earlier one. */
  folded?: number;
  sandbox?: true;
}

/**
 * Accepts a message for `target`, which must be open.
 * @returns 200 when it is sent or folded into an earlier one, 202 while it waits
 * @throws Problem 409 `idempotency_conflict`, 429 `rate_limited`, 502 `platform_rejected`
 */
export type Send = (
  target: Target,
  sending: ChatSendRequest,
  delivery: DeliveryOptions,
) => Promise<{ status: 200 | 202; body: SendAnswer }>;

interface SendDeps {
  database: Database;
  outbox: Outbox;
  folding: Folding;
  clock: Clock;
  /** Limit of each channel, by its id. */
  channelRates: SharedRates;
  shortRequests: Pick<ShortRequests, 'areRecent'>;
}

interface ChatAcceptance extends Acceptance {
  target: Target;
  foldKey: string;
  posts: number;
}

const REJECTED = 502;

export function createSend(deps: SendDeps): Send {
  const { database, outbox, clock, shortRequests } = deps;
  // One schedule for all messages, since each may have a megabyte of text.
  const giveWay = createTimeSlices({ shortRequests });
  const accept = createAccept<ChatAcceptance>({
    database,
    outbox,
    clock,
    screen: (trx, arrivals) => foldArrivals(trx, arrivals, deps),
  });
  return async (target, sending, delivery) => {
    const posts = await compose(sending, clock.now(), giveWay);
    const sandbox = isSandbox(target);
    const { status, body } = await accept({
      route: 'chat',
      clientId: target.client.id,
      delivery,
      fingerprint: fingerprintFor(delivery, () => [target.channel.id, sending]),
      target,
      foldKey: foldKeyOf(target.channel.id, sending),
      posts: posts.length,
      compose: (messageId) => rowsOf(messageId, target, posts),
      answer: (messageId, attempted) => answerOf(messageId, attempted?.parts ?? [], sandbox),
    });
    if (status === REJECTED) throw new Problem('platform_rejected', (body as { detail: string }).detail);
    const answer = body as SendAnswer;
    if (answer.folded !== undefined) outbox.wake(CHAT_EDIT);
    return { status: status === 200 ? 200 : 202, body: answer };
  };
}

function rowsOf(messageId: string, target: Target, posts: readonly Post[]): NewMessage[] {
  const { guild, channel, client } = target;
  return posts.map((post, part) => {
    const payload: ChatPayload = {
      channelId: channel.id,
      platform: { guildId: guild.platformId, channelId: channel.platformId },
      post,
    };
    return {
      id: part === 0 ? messageId : newId(),
      messageId,
      part,
      kind: CHAT,
      clientId: client.id,
      lane: laneOf(channel.id),
      payload,
      sandbox: isSandbox(target),
    };
  });
}

/** Responds to arrivals that fold into earlier messages, and refuses those that exceed the limit of their channel. */
async function foldArrivals(
  trx: Transaction,
  arrivals: readonly Arrival<ChatAcceptance>[],
  { folding, outbox, channelRates }: SendDeps,
): Promise<Map<string, Answer | Problem>> {
  const byId = new Map(arrivals.map(({ messageId, acceptance }) => [messageId, acceptance]));
  const answers = new Map<string, Answer | Problem>();
  const candidates = arrivals.map(({ messageId, acceptance: { target, foldKey } }) => ({
    messageId,
    foldKey,
    channelId: target.channel.id,
    sandbox: isSandbox(target),
  }));
  const channels = await channelRates.open(
    trx,
    candidates.map(({ channelId }) => channelId),
  );
  const folded = await folding.fold(trx, candidates, ({ messageId, channelId }) => {
    const wait = channels.take(channelId, byId.get(messageId)?.posts);
    const detail = 'This channel receives more messages than it accepts.';
    if (wait > 0) answers.set(messageId, tooMany('rate_limited', detail, wait));
    return wait === 0;
  });
  await channels.save();
  if (folded.size === 0) return answers;
  const firsts = await outbox.statesOf([...new Set([...folded.values()].map(({ into }) => into))], trx);
  for (const [messageId, { into, count }] of folded) {
    const target = byId.get(messageId)?.target;
    const first = describe(into, firsts.get(into) ?? [], target ? isSandbox(target) : false);
    answers.set(messageId, { status: 200, body: { ...first, folded: count } satisfies SendAnswer });
  }
  return answers;
}

function isSandbox(target: Target): boolean {
  return target.client.sealedToken === null;
}

function answerOf(messageId: string, parts: readonly PartState[], sandbox: boolean): Answer {
  const failed = parts.find(({ status }) => status === 'failed');
  if (failed)
    return { status: REJECTED, body: { detail: failed.error ?? 'The platform refused the message.' } };
  const body = describe(messageId, parts, sandbox);
  return { status: body.status === 'sent' ? 200 : 202, body };
}

/**
 * Returns why a message waits after an attempt: a `reason` of canSendMessage, and the platform's message as `detail`.
 */
export function waitingFor(parts: readonly PartState[]): { reason?: string; detail?: string } {
  const waiting = parts.find(({ status, error }) => status === 'queued' && error !== null);
  return waiting?.errorCode ? { reason: waiting.errorCode, detail: waiting.error ?? '' } : {};
}

function describe(messageId: string, parts: readonly PartState[], sandbox: boolean): SendAnswer {
  const [first] = parts;
  const mark = sandbox ? { sandbox: true as const } : {};
  if (!first || parts.some(({ status }) => status !== 'sent'))
    return {
      id: messageId,
      status: parts.length > 0 ? messageStatus(parts) : 'queued',
      ...waitingFor(parts),
      ...mark,
    };
  const { platformMessageId, url } = first.result as ChatResult;
  return { id: messageId, status: 'sent', platformMessageId, url, ...mark };
}
