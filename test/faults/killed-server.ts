import type { PosthouseProcess } from '../harness/process.ts';
import { startProcess } from '../harness/start.ts';
import type { Seeded } from './seeded.ts';

/** A server that is killed repeatedly and restarted on the same data. */
export interface KilledServer {
  kills(): number;
  /** Time at which the current server was ready, ms since the epoch. */
  readyAt(): number;
  /**
   * Sends a request to the current server, once it is ready. Null = the server died before the response was
   * complete.
   */
  request(path: string, init?: RequestInit): Promise<Answer | null>;
  /**
   * Kills the server while `shouldContinue` returns true, and once more, then leaves one running.
   * @param steps average growth of `progress` between two kills, so that their number does not depend on the machine
   */
  killRepeatedly(shouldContinue: () => boolean, progress: () => number, steps: number): Promise<void>;
  /** The current server. */
  current(): Promise<PosthouseProcess>;
  stop(): Promise<void>;
}

export interface Answer {
  status: number;
  headers: Headers;
  bytes: Uint8Array<ArrayBuffer>;
}

interface KilledServerDeps {
  settings: Record<string, string>;
  random: Seeded;
  /** Called after each kill, before the next start. */
  killed?(): Promise<void>;
  /** Called after each start, before the next kill. */
  started?(posthouse: PosthouseProcess): Promise<void>;
}

const LOOK_EVERY_MS = 10;
const SPREAD_MS = 300;
/** Kill after this time even without progress. */
const MAX_LIFE_MS = 45_000;

export async function startKilledServer({
  settings,
  random,
  killed,
  started,
}: KilledServerDeps): Promise<KilledServer> {
  let kills = 0;
  let readyAt = Date.now();
  let current = startProcess(settings);
  await current;

  async function killOnce(): Promise<void> {
    const doomed = await current;
    kills++;
    const { promise, resolve, reject } = Promise.withResolvers<PosthouseProcess>();
    promise.catch(() => {});
    current = promise;
    await doomed.kill();
    try {
      await killed?.();
      const fresh = await startProcess(settings);
      readyAt = Date.now();
      resolve(fresh);
    } catch (error) {
      reject(error);
      throw error;
    }
    await started?.(await current);
  }

  return {
    kills: () => kills,
    readyAt: () => readyAt,
    current: () => current,
    async request(path, init) {
      const posthouse = await current;
      try {
        const answer = await posthouse.fetch(path, init);
        return {
          status: answer.status,
          headers: answer.headers,
          bytes: new Uint8Array(await answer.arrayBuffer()),
        };
      } catch (error) {
        // A response may be missing only if the server died.
        if ((await current) === posthouse) throw error;
        return null;
      }
    },
    async killRepeatedly(shouldContinue, progress, steps) {
      while (shouldContinue()) {
        const enough = progress() + random.between(0, 2 * steps);
        while (shouldContinue() && progress() < enough && Date.now() - readyAt < MAX_LIFE_MS)
          await Bun.sleep(LOOK_EVERY_MS);
        // Not always right after a response.
        await Bun.sleep(random.between(0, SPREAD_MS));
        await killOnce();
      }
      await killOnce();
    },
    stop: async () => void (await (await current).stop()),
  };
}

export function jsonOf<Body>(answer: Answer): Body {
  return JSON.parse(new TextDecoder().decode(answer.bytes)) as Body;
}
