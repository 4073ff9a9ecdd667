import { type APIMessage, RESTJSONErrorCodes, Routes } from 'discord-api-types/v10';
import { type Clock, SECOND } from '../kernel/clock.ts';
import { hashToken, type Vault } from '../kernel/crypto/vault.ts';
import type { Database } from '../kernel/database/database.ts';
import type { Claimed, Delivery, Transport } from '../kernel/outbox/message.ts';
import type { Outbox } from '../kernel/outbox/outbox.ts';
import type { Post } from './compose.ts';
import { BOT_TOKEN_PURPOSE } from './directory.ts';
import type { InvalidRequests } from './invalid-requests.ts';
import type { Pauses } from './pauses.ts';
import { type Bot, type Platform, PlatformError } from './platform.ts';
import type { Target, Targets } from './targets.ts';

export const CHAT = 'chat';

/** Of a message without a title, this much stands for it in lists. */
const TITLE_LENGTH = 120;

/** A part of a message in the outbox. */
export interface ChatPayload {
  /** Our id of the channel. */
  channelId: string;
  /** Snowflakes, as they were when it was accepted. */
  platform: { guildId: string; channelId: string };
  post: Post;
}

/** What became of a part. */
export interface ChatResult {
  platformMessageId: string | null;
  url: string | null;
  /** Of the sandbox: the whole request that would have been made. */
  request?: { method: string; route: string; body: unknown };
}

/** A call to the platform on behalf of an outbox row. */
export interface ChatCall {
  method: 'POST' | 'PATCH';
  route: `/${string}`;
  body: unknown;
}

/** Makes a row's call, or says why not now. */
export interface Caller {
  /** @param sandbox true = the call is only noted */
  call(target: Target, call: ChatCall, sandbox: boolean, signal: AbortSignal): Promise<Delivery>;
}

/** Refusals that say nothing of the channel: the message was deleted, or another bot wrote it. */
const OF_THE_MESSAGE: readonly number[] = [RESTJSONErrorCodes.UnknownMessage, RESTJSONErrorCodes.CannotEditMessageAuthoredByAnotherUser];
const LOOK_AGAIN_MS = 30 * SECOND;
const CONCURRENCY = 32;
interface CallerParts {
  platform: Platform;
  pauses: Pauses;
  invalidRequests: InvalidRequests;
  vault: Vault;
  clock: Clock;
}

export function createCaller({ platform, pauses, invalidRequests, vault, clock }: CallerParts): Caller {
  // What was sent in the platform's second before a restart is not known.
  const quietUntil = clock.now() + SECOND;
  const held = (reason: string, untilMs = clock.now() + LOOK_AGAIN_MS): Delivery => ({ outcome: 'held', reason, untilMs });

  function holdingBack(target: Target, sandbox: boolean): Delivery | null {
    if (target.disabled) return held(`The ${target.disabled} was switched off by an administrator.`);
    if (sandbox) return null;
    if (target.pause) return held(`The ${target.pause.of} is paused: ${target.pause.reason}`);
    if (target.client.sealedToken === null) return held('The client has no bot token any more.');
    const now = clock.now();
    if (quietUntil > now) return held('The server has just begun.', quietUntil);
    if (target.limitedUntil > now) return held('The platform asked for patience.', target.limitedUntil);
    const stopped = invalidRequests.stoppedUntil();
    if (stopped > now) return held('Too many requests were refused; more would have the platform ban this address.', stopped);
    return null;
  }

  async function afterFailure(error: unknown, target: Target): Promise<Delivery> {
    if (!(error instanceof PlatformError)) throw error;
    const { trouble, message } = error;
    const channel = { of: 'channel', id: target.channel.id } as const;
    const client = { of: 'client', id: target.client.id } as const;
    switch (trouble.kind) {
      case 'exhausted':
        return held(message, clock.now() + trouble.retryAfterMs);
      case 'limited':
        await pauses.limit(trouble.scope === 'global' ? client : channel, clock.now() + trouble.retryAfterMs);
        return { outcome: 'later', code: 'rate_limited', reason: message, retryAfterMs: trouble.retryAfterMs };
      case 'unauthorized':
        await pauses.pause(client, message);
        return { outcome: 'later', code: 'target_paused', reason: message };
      case 'forbidden':
      case 'missing':
        if (trouble.code !== null && OF_THE_MESSAGE.includes(trouble.code)) {
          return { outcome: 'refused', code: 'platform_rejected', reason: message };
        }
        await pauses.pause(channel, message);
        return { outcome: 'later', code: 'target_paused', reason: message };
      case 'refused':
        return { outcome: 'refused', code: 'platform_rejected', reason: message };
      case 'trouble':
        return { outcome: 'later', code: 'platform_unreachable', reason: message };
    }
  }

  return {
    async call(target, { method, route, body }, sandbox, signal) {
      const hold = holdingBack(target, sandbox);
      if (hold) return hold;
      if (sandbox) {
        const result: ChatResult = { platformMessageId: null, url: null, request: { method, route, body } };
        return { outcome: 'sent', result };
      }
      try {
        const bot: Bot = platform(vault.open(BOT_TOKEN_PURPOSE, target.client.sealedToken ?? ''));
        const answer = (await bot.call(method, route, { body, signal })) as Partial<APIMessage> | null;
        if (typeof answer?.id !== 'string')
          return { outcome: 'later', code: 'platform_unreachable', reason: 'The platform’s answer names no message.' };
        const { guild, channel } = target;
        const url = `https://discord.com/channels/${guild.platformId}/${channel.platformId}/${answer.id}`;
        const result: ChatResult = { platformMessageId: answer.id, url };
        return { outcome: 'sent', result };
      } catch (error) {
        return await afterFailure(error, target);
      }
    },
  };
}

/** Posts messages. When a part is refused for good, the parts behind it are cancelled, since no one could follow them. */
export function createSender({
  caller,
  targets,
  database,
  outbox,
}: {
  caller: Caller;
  targets: Targets;
  database: Database;
  outbox: Outbox;
}): Transport {
  return {
    kind: CHAT,
    concurrency: CONCURRENCY,
    about(payload) {
      const { channelId, post } = payload as ChatPayload;
      const [embed] = post.embeds;
      return { title: embed?.title ?? embed?.description?.slice(0, TITLE_LENGTH) ?? '', to: [channelId] };
    },
    async deliver(message, signal) {
      const payload = message.payload as ChatPayload;
      const target = await targets.ofChannel(payload.channelId);
      const delivery: Delivery = target
        ? await caller.call(target, postCall(message, payload, target), message.sandbox, signal)
        : { outcome: 'refused', code: 'unknown_channel', reason: 'The channel was deleted.' };
      if (delivery.outcome === 'refused') await database.transaction((trx) => outbox.cancel(trx, message.messageId));
      return delivery;
    },
  };
}

function postCall(message: Claimed, { post }: ChatPayload, target: Target): ChatCall {
  return {
    method: 'POST',
    route: Routes.channelMessages(target.channel.platformId) as `/${string}`,
    body: { ...post, nonce: nonceOf(message), enforce_nonce: true },
  };
}

/**
 * The same for every attempt at the same part, so that the platform answers a repeated one with the message that it has.
 * Of 25 characters, the platform's most, 22 are the id and up to 2 the part; the last one differs when an administrator
 * sends again what was sent before, and is therefore made of what came of it.
 */
export function nonceOf({ messageId, part, result }: Pick<Claimed, 'messageId' | 'part' | 'result'>): string {
  const id = Buffer.from(messageId.replaceAll('-', ''), 'hex').toString('base64url');
  return `${id}${part.toString(36)}${result === null ? '' : hashToken(JSON.stringify(result))[0]}`;
}
