import { type Clock, MINUTE } from '../kernel/clock.ts';
import type { Database } from '../kernel/database/database.ts';
import { Problem, tooMany } from '../kernel/http/problem.ts';
import { newId } from '../kernel/ids.ts';
import { createRateLimit } from '../kernel/limits/rates.ts';
import { type Acceptance, type Answer, createAccept, type DeliveryWishes, fingerprintOf } from '../kernel/outbox/acceptance.ts';
import { statusOf } from '../kernel/outbox/history.ts';
import type { OutboxMessage } from '../kernel/outbox/message.ts';
import type { Outbox } from '../kernel/outbox/outbox.ts';
import type { OutboxStatus } from '../kernel/tables.ts';
import { type ChatMessage, compose } from './compose.ts';
import { CHAT_EDIT, type Folding, foldKeyOf } from './folding.ts';
import { channelOf, laneOf } from './pauses.ts';
import { CHAT, type ChatPayload, type ChatResult } from './sender.ts';
import type { Target } from './targets.ts';

/** What a caller sends. */
export interface Sending extends ChatMessage {
  /** Makes messages repeats of each other whatever they say. */
  dedupeKey?: string;
}

/** What a caller is told. */
export interface SendAnswer {
  id: string;
  status: OutboxStatus;
  platformMessageId?: string | null;
  url?: string | null;
  /** How often the message came, when it folded into an earlier one. */
  folded?: number;
  sandbox?: true;
}

/**
 * Takes a message for `target`, which must be open.
 * @returns 200 when it is sent or folded into an earlier one, 202 while it waits
 * @throws Problem 409 `idempotency_conflict`, 429 `rate_limited`, 502 `platform_rejected`
 */
export type Send = (target: Target, sending: Sending, delivery: DeliveryWishes) => Promise<{ status: 200 | 202; body: SendAnswer }>;

interface SendParts {
  database: Database;
  outbox: Outbox;
  folding: Folding;
  clock: Clock;
  /** Messages that a channel takes at once, and a minute after that. */
  limits: { burst: number; perMinute: number };
}

interface ChatAcceptance extends Acceptance {
  target: Target;
  foldKey: string;
  posts: number;
}

export function createSend({ database, outbox, folding, clock, limits }: SendParts): Send {
  const channels = createRateLimit({ ...limits, clock });
  let resumed: Promise<void> | null = null;

  /** A restart gives no channel a new burst: what the last minutes brought is counted again. */
  async function resume(): Promise<void> {
    const window = Math.min(LONGEST_RESUMED_MS, (limits.burst / limits.perMinute) * MINUTE);
    const taken = await outbox.lanesSince(CHAT, clock.now() - window);
    for (const [lane, count] of taken) channels.take(channelOf(lane), count);
  }

  const accept = createAccept<ChatAcceptance>({
    database,
    outbox,
    clock,
    async sift(trx, arrivals) {
      const byId = new Map(arrivals.map(({ messageId, acceptance }) => [messageId, acceptance]));
      const told = new Map<string, Answer | Problem>();
      const candidates = arrivals.map(({ messageId, acceptance: { target, foldKey } }) => ({
        messageId,
        foldKey,
        channelId: target.channel.id,
        sandbox: isSandbox(target),
      }));
      const folded = await folding.fold(trx, candidates, ({ messageId, channelId }) => {
        const wait = channels.take(channelId, byId.get(messageId)?.posts);
        if (wait > 0) told.set(messageId, tooMany('rate_limited', 'This channel gets more messages than it takes.', wait));
        return wait === 0;
      });
      if (folded.size === 0) return told;
      const firsts = await outbox.partsOf(trx, [...new Set([...folded.values()].map(({ into }) => into))]);
      for (const [messageId, { into, count }] of folded) {
        const target = byId.get(messageId)?.target;
        const body: SendAnswer = { ...describe(into, firsts.get(into) ?? [], target ? isSandbox(target) : false), folded: count };
        told.set(messageId, { status: 200, body });
      }
      return told;
    },
  });

  return async (target, sending, delivery) => {
    resumed ??= resume().catch((error) => {
      resumed = null;
      throw error;
    });
    await resumed;
    const posts = compose(sending, clock.now());
    const sandbox = isSandbox(target);
    const { status, body } = await accept({
      route: 'chat',
      clientId: target.client.id,
      delivery,
      fingerprint: delivery.idempotencyKey === null ? '' : fingerprintOf([target.channel.id, sending]),
      target,
      foldKey: foldKeyOf(target.channel.id, sending),
      posts: posts.length,
      compose: (messageId) =>
        posts.map((post, part) => {
          const payload: ChatPayload = {
            channelId: target.channel.id,
            platform: { guildId: target.guild.platformId, channelId: target.channel.platformId },
            post,
          };
          return {
            id: part === 0 ? messageId : newId(),
            messageId,
            part,
            kind: CHAT,
            clientId: target.client.id,
            lane: laneOf(target.channel.id),
            payload,
            sandbox,
          };
        }),
      answer: (messageId, parts) => answerOf(messageId, parts, sandbox),
    });
    if (status === REJECTED) throw new Problem('platform_rejected', (body as { detail: string }).detail);
    const answer = body as SendAnswer;
    if (answer.folded !== undefined) outbox.wake(CHAT_EDIT);
    return { status: status === 200 ? 200 : 202, body: answer };
  };
}

const REJECTED = 502;
const LONGEST_RESUMED_MS = 10 * MINUTE;

function isSandbox(target: Target): boolean {
  return target.client.sealedToken === null;
}

function answerOf(messageId: string, parts: readonly OutboxMessage[], sandbox: boolean): Answer {
  const failed = parts.find(({ status }) => status === 'failed');
  if (failed) return { status: REJECTED, body: { detail: failed.error ?? 'The platform refused the message.' } };
  const body = describe(messageId, parts, sandbox);
  return { status: body.status === 'sent' ? 200 : 202, body };
}

function describe(messageId: string, parts: readonly OutboxMessage[], sandbox: boolean): SendAnswer {
  const [first] = parts;
  const mark = sandbox ? { sandbox: true as const } : {};
  if (!first || parts.some(({ status }) => status !== 'sent'))
    return { id: messageId, status: parts.length > 0 ? statusOf(parts) : 'queued', ...mark };
  const { platformMessageId, url } = first.result as ChatResult;
  return { id: messageId, status: 'sent', platformMessageId, url, ...mark };
}
