import { type Clock, SECOND } from '../../kernel/clock.ts';
import { steadyClock } from '../../kernel/limits/steady-clock.ts';
import { type Delivery, held, later, refused } from '../../kernel/outbox/message.ts';
import type { Bots } from '../directory/bot-token.ts';
import type { Target } from '../directory/targets.ts';
import type { ChatResult } from '../sending/payload.ts';
import type { InvalidRequests } from './invalid-requests.ts';
import { obstacleOf } from './obstacles.ts';
import type { Pauses } from './pauses.ts';
import { MAX_RETRY_MS, PlatformError } from './platform-errors.ts';
import { messageResponse, readResponse } from './responses.ts';

/** A call to the platform on behalf of an outbox row. */
export interface ChatCall {
  method: 'POST' | 'PATCH';
  route: `/${string}`;
  body: unknown;
}

/**
 * Makes the call of an outbox row, unless the target has to wait. Failures of the platform are outcomes; they also
 * pause the target or record its rate limit.
 * @param sandbox true = the call is recorded in the result, not sent
 */
export type CallPlatform = (
  target: Target,
  call: ChatCall,
  sandbox: boolean,
  signal: AbortSignal,
) => Promise<Delivery>;

interface CallDeps {
  bots: Bots;
  pauses: Pauses;
  invalidRequests: InvalidRequests;
  /** Base URL of the platform's web app, without a slash at its end. */
  siteUrl: string;
  clock: Clock;
}

const RECHECK_MS = 30 * SECOND;

export function createCall(deps: CallDeps): CallPlatform {
  const steady = steadyClock(deps.clock);
  // The calls of the second before a restart are unknown and may have used up the platform's limit.
  const quietUntil = steady.now() + SECOND;
  return async (target, call, sandbox, signal) => {
    const hold = holdFor(target, sandbox, deps, quietUntil - steady.now());
    if (hold) return hold;
    if (sandbox) {
      const result: ChatResult = { platformMessageId: null, url: null, request: { ...call } };
      return { outcome: 'sent', result };
    }
    try {
      const bot = deps.bots(target.client.id, target.client.sealedToken ?? '');
      const response = await bot.call(call.method, call.route, { body: call.body, signal });
      const { id } = readResponse(messageResponse, `${call.method} ${call.route}`, response);
      const url = `${deps.siteUrl}/channels/${target.guild.platformId}/${target.channel.platformId}/${id}`;
      return { outcome: 'sent', result: { platformMessageId: id, url } satisfies ChatResult };
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
  quietMs: number,
): Delivery | null {
  const now = clock.now();
  if (target.disabled) return held(`An administrator disabled the ${target.disabled}.`, RECHECK_MS);
  if (sandbox) return null;
  if (target.pause) return held(`The ${target.pause.of} is paused: ${target.pause.reason}`, RECHECK_MS);
  if (target.client.sealedToken === null) return held('The client no longer has a bot token.', RECHECK_MS);
  if (quietMs > 0) return held('The server has just started.', quietMs);
  const limitedMs = target.limitedUntil - now;
  // A limit that ends later was stored before the clock was set back. The clock of a node may be a little behind.
  if (limitedMs > 0 && limitedMs <= MAX_RETRY_MS + SECOND)
    return held('The platform limits the rate of calls.', limitedMs);
  const waitMs = invalidRequests.waitMs();
  return waitMs > 0
    ? held('The platform rejected too many requests and would ban this address after more.', waitMs)
    : null;
}

async function afterFailure(
  { failure, message: reason }: PlatformError,
  target: Target,
  { pauses }: CallDeps,
): Promise<Delivery> {
  const channel = { of: 'channel', id: target.channel.id } as const;
  const client = { of: 'client', id: target.client.id } as const;
  const obstacle = obstacleOf(failure);
  switch (failure.kind) {
    case 'refused':
      return refused(obstacle, reason);
    case 'exhausted':
      return held(reason, failure.retryAfterMs);
    case 'limited':
      await pauses.limit(failure.scope === 'global' ? client : channel, failure.retryAfterMs);
      return later(obstacle, reason, failure.retryAfterMs);
    case 'unavailable':
    case 'incompatible':
      return later(obstacle, reason);
    default:
      await pauses.pause(failure.kind === 'unauthorized' ? client : channel, reason);
      return later(obstacle, reason);
  }
}
