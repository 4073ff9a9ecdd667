import { type Posthouse, startPosthouse } from '../harness/process.ts';
import type { Seeded } from './seeded.ts';

/** A server that is killed again and again, and started anew each time on the same data. */
export interface Mortal {
  kills(): number;
  /** When the server that runs now was ready, ms since the epoch. */
  readyAt(): number;
  /** Asks whichever server lives, waiting for one to be ready. Null = the server died before the whole answer was there. */
  ask(path: string, init?: RequestInit): Promise<Answer | null>;
  /**
   * Kills while `goesOn` says so, then once more, and comes back with a server that stays.
   * @param steps how much `progress` grows between two kills, on average; so their number does not depend on the machine
   */
  rage(goesOn: () => boolean, progress: () => number, steps: number): Promise<void>;
  /** The server that runs now. */
  current(): Promise<Posthouse>;
  stop(): Promise<void>;
}

export interface Answer {
  status: number;
  headers: Headers;
  bytes: Uint8Array<ArrayBuffer>;
}

interface MortalParts {
  settings: Record<string, string>;
  random: Seeded;
  /** Called after each start, before the next kill. */
  started?(posthouse: Posthouse): Promise<void>;
}

const LOOK_EVERY_MS = 10;
const SPREAD_MS = 300;
/** Where nothing progresses, a kill may help. */
const LONGEST_LIFE_MS = 45_000;

export async function startMortal({ settings, random, started }: MortalParts): Promise<Mortal> {
  let kills = 0;
  let readyAt = Date.now();
  let current = startPosthouse(settings);
  await current;

  async function killOnce(): Promise<void> {
    const doomed = await current;
    kills++;
    const { promise, resolve, reject } = Promise.withResolvers<Posthouse>();
    promise.catch(() => {});
    current = promise;
    await doomed.kill();
    try {
      const fresh = await startPosthouse(settings);
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
    async ask(path, init) {
      const posthouse = await current;
      try {
        const answer = await posthouse.fetch(path, init);
        return { status: answer.status, headers: answer.headers, bytes: new Uint8Array(await answer.arrayBuffer()) };
      } catch (error) {
        // Only a death excuses an answer that does not come.
        if ((await current) === posthouse) throw error;
        return null;
      }
    },
    async rage(goesOn, progress, steps) {
      while (goesOn()) {
        const enough = progress() + random.between(0, 2 * steps);
        while (goesOn() && progress() < enough && Date.now() - readyAt < LONGEST_LIFE_MS) await Bun.sleep(LOOK_EVERY_MS);
        // Not just when an answer went out.
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
