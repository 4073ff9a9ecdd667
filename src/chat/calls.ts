import { RESTJSONErrorCodes } from 'discord-api-types/rest/v10';
import type { APIMessage } from 'discord-api-types/v10';
import { type Clock, SECOND } from '../kernel/clock.ts';
import { type Delivery, held, later, refused } from '../kernel/outbox/message.ts';
import type { Bots } from './bot-token.ts';
import type { InvalidRequests } from './invalid-requests.ts';
import type { Obstacle } from './obstacles.ts';
import type { Pauses } from './pauses.ts';
import type { ChatResult } from './payload.ts';
import { PlatformError, type Trouble } from './platform-errors.ts';
import type { Target } from './targets.ts';

/** A call to the platform on behalf of an outbox row. */
export interface ChatCall {
  method: 'POST' | 'PATCH';
  route: `/${string}`;
  body: unknown;
}

/** Makes the call of an outbox row, unless the target has to wait. @param sandbox true = the call is only recorded */
export type Call = (
  target: Target,
  call: ChatCall,
  sandbox: boolean,
  signal: AbortSignal,
) => Promise<Delivery>;

interface CallDeps {
  bots: Bots;
  pauses: Pauses;
  invalidRequests: InvalidRequests;
  clock: Clock;
}

const LOOK_AGAIN_MS = 30 * SECOND;

export function createCall(deps: CallDeps): Call {
  // The calls of the second before a restart are unknown and may have used up the platform's limit.
  const quietUntil = deps.clock.now() + SECOND;
  return async (target, call, sandbox, signal) => {
    const hold = holdFor(target, sandbox, deps, quietUntil);
    if (hold) return hold;
    if (sandbox) {
      const result: ChatResult = { platformMessageId: null, url: null, request: { ...call } };
      return { outcome: 'sent', result };
    }
    try {
      const bot = deps.bots(target.client.id, target.client.sealedToken ?? '');
      const answer = await bot.call(call.method, call.route, { body: call.body, signal });
      return deliveryOf(target, answer as Partial<APIMessage> | null);
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error;
      return await afterFailure(error, target, deps);
    }
  };
}

/** Returns why nothing may be sent to the target now, and for how long; null = send now. */
function holdFor(
  target: Target,
  sandbox: boolean,
  { clock, invalidRequests }: CallDeps,
  quietUntil: number,
): Delivery | null {
  const now = clock.now();
  if (target.disabled) return held(`An administrator disabled the ${target.disabled}.`, LOOK_AGAIN_MS);
  if (sandbox) return null;
  if (target.pause) return held(`The ${target.pause.of} is paused: ${target.pause.reason}`, LOOK_AGAIN_MS);
  if (target.client.sealedToken === null) return held('The client has no bot token any more.', LOOK_AGAIN_MS);
  if (quietUntil > now) return held('The server has just started.', quietUntil - now);
  if (target.limitedUntil > now)
    return held('The platform limits the rate of calls.', target.limitedUntil - now);
  const stopped = invalidRequests.stoppedUntil();
  return stopped > now
    ? held('The platform refused too many requests; with more of them it bans this address.', stopped - now)
    : null;
}

function deliveryOf({ guild, channel }: Target, answer: Partial<APIMessage> | null): Delivery {
  if (typeof answer?.id !== 'string')
    return later('platform_unreachable', 'The platform’s answer names no message.');
  const url = `https://discord.com/channels/${guild.platformId}/${channel.platformId}/${answer.id}`;
  const result: ChatResult = { platformMessageId: answer.id, url };
  return { outcome: 'sent', result };
}

/** Errors of the message rather than of the channel: it was deleted, or another bot wrote it. */
const OF_THE_MESSAGE: readonly number[] = [
  RESTJSONErrorCodes.UnknownMessage,
  RESTJSONErrorCodes.CannotEditMessageAuthoredByAnotherUser,
];

/** The reason of `canSendMessage` for a refusal of the bot or the channel. */
const OBSTACLES_OF = new Map<Trouble['kind'], Obstacle>([
  ['unauthorized', 'token_refused'],
  ['forbidden', 'missing_send_messages'],
  ['missing', 'channel_not_found'],
]);

async function afterFailure(
  { trouble, message: reason }: PlatformError,
  target: Target,
  { pauses }: CallDeps,
): Promise<Delivery> {
  const channel = { of: 'channel', id: target.channel.id } as const;
  const client = { of: 'client', id: target.client.id } as const;
  if (isRefusal(trouble)) return refused('platform_rejected', reason);
  switch (trouble.kind) {
    case 'exhausted':
      return held(reason, trouble.retryAfterMs);
    case 'limited':
      await pauses.limit(trouble.scope === 'global' ? client : channel, trouble.retryAfterMs);
      return later('rate_limited', reason, trouble.retryAfterMs);
    case 'trouble':
      return later('platform_unreachable', reason);
    default:
      await pauses.pause(trouble.kind === 'unauthorized' ? client : channel, reason);
      return later(OBSTACLES_OF.get(trouble.kind) ?? 'target_paused', reason);
  }
}

function isRefusal(trouble: Trouble): boolean {
  if (trouble.kind === 'refused') return true;
  const isOfChannel = trouble.kind === 'forbidden' || trouble.kind === 'missing';
  return isOfChannel && trouble.code !== null && OF_THE_MESSAGE.includes(trouble.code);
}
