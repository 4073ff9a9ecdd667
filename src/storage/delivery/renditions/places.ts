import type { IsOtherDue } from './claims.ts';

/** CPU time of a file, in ms, after which it can lose its place. Most pictures take a tenth of it. */
const LONG_MS = 2_000;
const CHECK_MS = 250;

interface PlacesDeps {
  /** Returns the number of files that this process renders or reads at once. */
  atOnce(): number;
  isOtherDue: IsOtherDue;
}

/** The place of a file while it is rendered or read. */
interface Place {
  /** Reports whether the file keeps its place. @param cpuMs CPU time that it has taken, ms */
  mayContinue(cpuMs: number): boolean;
  leave(): void;
}

/**
 * The places of the files that this process renders or reads. If long-running files occupy all places while a
 * file of another workspace is due, the one with the least CPU time loses its place. Otherwise, a few hostile
 * pictures could delay those of other workspaces until they reach their time limits.
 */
export interface Places {
  take(workspaceId: string): Place;
}

interface TakenPlace {
  workspaceId: string;
  cpuMs: number;
  isLost: boolean;
}

export function createPlaces({ atOnce, isOtherDue }: PlacesDeps): Places {
  const taken = new Set<TakenPlace>();
  let checkedAt = Number.NEGATIVE_INFINITY;

  function check(): void {
    const long = [...taken].filter(({ cpuMs }) => cpuMs > LONG_MS);
    const now = performance.now();
    if (long.length < atOnce() || long.some(({ isLost }) => isLost) || now - checkedAt < CHECK_MS) return;
    checkedAt = now;
    const [least] = long.toSorted((one, other) => one.cpuMs - other.cpuMs);
    void isOtherDue(new Set(long.map(({ workspaceId }) => workspaceId))).then(
      (isDue) => {
        if (isDue && least) least.isLost = true;
      },
      // The next check repeats it.
      () => {},
    );
  }

  return {
    take(workspaceId) {
      const place: TakenPlace = { workspaceId, cpuMs: 0, isLost: false };
      taken.add(place);
      return {
        mayContinue(cpuMs) {
          place.cpuMs = cpuMs;
          check();
          return !place.isLost;
        },
        leave: () => void taken.delete(place),
      };
    },
  };
}
