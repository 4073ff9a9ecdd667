import type { REST } from '@discordjs/rest';
import { createCache } from '../../kernel/cache.ts';
import { SECOND } from '../../kernel/clock.ts';
import { loadOnce } from '../../kernel/load-once.ts';
import { fetchShort } from '../../kernel/short-response.ts';
import { hideSecrets } from '../../kernel/without-secrets.ts';
import { VERSION } from '../../version.ts';
import { delayOf, noResponse, PlatformError, platformErrorOf } from './platform-errors.ts';

/** The calls of one bot. The library tracks the buckets of the rate limits; it neither waits nor retries. */
export interface Bot {
  /** @throws PlatformError */
  call(
    method: 'GET' | 'POST' | 'PATCH',
    route: `/${string}`,
    options?: { body?: unknown; signal?: AbortSignal },
  ): Promise<unknown>;
}

/** Returns the bot of a token: the same object for the same token, while it is among those used last. */
export type Platform = (token: string) => Bot;

/** Limits of `waitingBot`: the length of each wait, and the number of waits of a call. */
const MAX_WAIT_MS = 2 * SECOND;
const MAX_WAITS = 3;

/** Returns a bot for interactive queries: it waits for an empty bucket of the rate limit if that refills soon. */
export function waitingBot(bot: Bot): Bot {
  return {
    async call(...parameters) {
      for (let waits = 0; ; waits++) {
        try {
          return await bot.call(...parameters);
        } catch (error) {
          const wait = error instanceof PlatformError ? error.failure : null;
          const isShort = wait?.kind === 'exhausted' && wait.retryAfterMs <= MAX_WAIT_MS;
          if (!isShort || waits === MAX_WAITS) throw error;
          await Bun.sleep(wait.retryAfterMs);
        }
      }
    },
  };
}

const TIMEOUT_MS = 15 * SECOND;
/** Header fields of successful responses by which the library delays calls, in seconds. */
const DELAYS = ['X-RateLimit-Reset-After', 'Retry-After'];
/** Maximum number of tokens whose limits are tracked. */
const BOTS_KEPT = 1_000;
/** Maximum delay when no response requires one: the library limits all calls in each second, and adds 100 ms. */
const OWN_WAIT_MS = 2 * SECOND;

/**
 * @param apiUrl the platform's API, with or without a version at its end
 * @param onInvalid called for each response that the platform counts as an invalid request
 */
export function createPlatform(apiUrl: string, onInvalid: () => void): Platform {
  const versioned = /^(.*)\/v(\d+)$/.exec(apiUrl);
  const [api, version] = versioned ? [versioned[1] ?? apiUrl, versioned[2] ?? '10'] : [apiUrl, '10'];
  const bots = createCache<OpenBot>({ max: BOTS_KEPT, dropped: (bot) => bot.close() });
  return (token) => {
    const known = bots.get(token);
    if (known) return known;
    const bot = createBot({ token, api, version, onInvalid });
    bots.set(token, bot);
    return bot;
  };
}

interface BotDeps {
  token: string;
  api: string;
  version: string;
  onInvalid: () => void;
}

interface OpenBot extends Bot {
  /** Stops the timers. Calls are still possible. */
  close(): void;
}

interface OpenRest {
  rest: REST;
  /** Returns the longest time for which a call may be delayed now. */
  maxWaitMs(): number;
}

function createBot(deps: BotDeps): OpenBot {
  let closeRest: (() => void) | null = null;
  let isClosed = false;
  const opening = () =>
    loadOnce(async () => {
      const opened = await openRest(deps);
      closeRest = () => stopTimers(opened.rest);
      if (isClosed) closeRest();
      return opened;
    });
  let open = opening();
  const bot: OpenBot = {
    async call(method, route, options) {
      const current = open;
      const { rest, maxWaitMs } = await current();
      try {
        if (method === 'GET') return await rest.get(route, options);
        return await (method === 'POST' ? rest.post(route, options) : rest.patch(route, options));
      } catch (error) {
        const failed = await asPlatformError(error);
        const { failure } = failed;
        if (failure.kind !== 'exhausted' || failure.retryAfterMs <= maxWaitMs()) throw failed;
        // The library's clock was set back. Without its records, the platform decides about the call.
        if (open === current) {
          open = opening();
          stopTimers(rest);
        }
        return await bot.call(method, route, options);
      }
    },
    close() {
      isClosed = true;
      closeRest?.();
    },
  };
  return bot;
}

function stopTimers(rest: REST): void {
  rest.clearHashSweeper();
  rest.clearHandlerSweeper();
}

/** Loads the library at the first call, since a server without a bot does not need it. */
async function openRest({ token, api, version, onInvalid }: BotDeps): Promise<OpenRest> {
  const { REST } = await import('@discordjs/rest');
  /** End of the longest delay in a response, on the clock of `performance`. */
  let latestEnd = 0;
  const capDelays = (headers: Headers) => {
    for (const name of DELAYS) {
      const delayMs = delayOf(headers.get(name));
      if (delayMs === null) headers.delete(name);
      else headers.set(name, String(delayMs / SECOND));
      latestEnd = Math.max(latestEnd, performance.now() + (delayMs ?? 0));
    }
  };
  const rest = new REST({
    api,
    version,
    retries: 0,
    timeout: TIMEOUT_MS,
    rejectOnRateLimit: () => true,
    userAgentAppendix: `Posthouse/${VERSION}`,
    makeRequest: async (url, init) => {
      // Reads the whole body here, since the library's time limit ends with this call.
      const response = await fetchShort(url, { ...(init as RequestInit), redirect: 'manual' });
      const body = await response.arrayBuffer();
      if (!response.ok)
        throw platformErrorOf(response, hideSecrets(new TextDecoder().decode(body), [token]), onInvalid);
      capDelays(response.headers);
      return new Response(body, { status: response.status, headers: response.headers }) as never;
    },
  }).setToken(token);
  return { rest, maxWaitMs: () => Math.max(0, latestEnd - performance.now()) + OWN_WAIT_MS };
}

async function asPlatformError(error: unknown): Promise<PlatformError> {
  if (error instanceof PlatformError) return error;
  const { RateLimitError } = await import('@discordjs/rest');
  if (error instanceof RateLimitError) {
    const retryAfterMs = Math.max(0, error.timeToReset);
    return new PlatformError({ kind: 'exhausted', retryAfterMs }, 'The platform’s rate limit is used up.');
  }
  if (error instanceof SyntaxError)
    return new PlatformError(
      { kind: 'incompatible' },
      'The response is marked as JSON but is not valid JSON.',
    );
  // The runtime's message may contain the address, which may contain a user and password.
  if (error instanceof Error && error.name === 'AbortError') return noResponse();
  return new PlatformError({ kind: 'unavailable' }, 'The platform could not be reached.');
}
