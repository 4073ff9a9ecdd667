import { createCache } from '../../kernel/cache.ts';
import { type Clock, MINUTE, SECOND } from '../../kernel/clock.ts';
import { inTime } from '../../kernel/event-loop/in-time.ts';
import type { Bots } from '../directory/bot-token.ts';
import type { Target } from '../directory/targets.ts';
import { Blocked, isTransient, type Obstacle, obstacleOf } from '../platform/obstacles.ts';
import { waitingBot } from '../platform/platform.ts';
import { noResponse, PlatformError } from '../platform/platform-errors.ts';
import { requireReach } from './requirements.ts';

export interface Reachability {
  canSend: boolean;
  reason: Obstacle | null;
  /** A sentence for people. */
  detail: string;
}

/** Reports whether the platform would accept a message. */
export interface Reach {
  /** Returns a result that is at most a minute old. */
  check(target: Target): Promise<Reachability>;
  /** Queries the platform now, even about paused and disabled targets. */
  checkNow(target: Target): Promise<Reachability>;
}

interface ReachDeps {
  bots: Bots;
  clock: Clock;
  /** Maximum time of all queries of a check, ms. */
  limitMs?: number;
}

const LIMIT_MS = 10 * SECOND;

const REMEMBERED_MS = MINUTE;
/** Errors that say nothing about the target are cached only briefly. */
const REMEMBERED_FAILURE_MS = 5 * SECOND;
const TARGETS_KEPT = 10_000;

export function createReach(deps: ReachDeps): Reach {
  const remembered = createCache<Promise<Reachability>>({
    max: TARGETS_KEPT,
    expiry: { ttlMs: REMEMBERED_MS, clock: deps.clock },
  });
  return {
    checkNow: (target) => query(target, deps),
    async check(target) {
      if (target.disabled) return no('target_disabled', `An administrator disabled the ${target.disabled}.`);
      if (target.pause)
        return no('target_paused', `The ${target.pause.of} is paused: ${target.pause.reason}`);
      const key = `${target.channel.id} ${target.client.sealedToken}`;
      const known = remembered.get(key);
      if (known) return await known;
      const outcome = query(target, deps);
      remembered.set(key, outcome);
      outcome.then(
        ({ reason }) => {
          if (isTransient(reason)) remembered.set(key, outcome, { ttl: REMEMBERED_FAILURE_MS });
        },
        () => remembered.delete(key),
      );
      return await outcome;
    },
  };
}

async function query(target: Target, { bots, clock, limitMs = LIMIT_MS }: ReachDeps): Promise<Reachability> {
  if (target.client.sealedToken === null)
    return { canSend: true, reason: null, detail: 'Messages of this client go to the sandbox.' };
  const bot = waitingBot(bots(target.client.id, target.client.sealedToken));
  try {
    await inTime(requireReach(bot, target, clock.now()), limitMs, noResponse);
    return { canSend: true, reason: null, detail: 'The bot may view the channel, send and embed.' };
  } catch (error) {
    if (error instanceof Blocked) return no(error.reason, error.message);
    if (error instanceof PlatformError) return no(obstacleOf(error.failure), error.message);
    throw error;
  }
}

function no(reason: Obstacle, detail: string): Reachability {
  return { canSend: false, reason, detail };
}
