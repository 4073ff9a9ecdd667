import type { IsOtherDue } from './claims.ts';

/** CPU time of a file, in ms, after which it can lose its slot. Most pictures take a tenth of it. */
const LONG_MS = 2_000;
const CHECK_MS = 250;

interface SlotsDeps {
  /** Returns the number of files that this process renders or reads at once. */
  atOnce(): number;
  isOtherDue: IsOtherDue;
}

/** The slot of a file while it is rendered or read. */
interface Slot {
  /** Reports whether the file keeps its slot. @param cpuMs CPU time that it has taken, ms */
  mayContinue(cpuMs: number): boolean;
  free(): void;
}

interface TakenSlot {
  workspaceId: string;
  cpuMs: number;
  isLost: boolean;
}

/**
 * Returns a function that takes a slot for a file that this process renders or reads. If long-running files occupy all
 * slots while a file of another workspace is due, the one with the least CPU time loses its slot. Otherwise, a few
 * hostile pictures could delay those of other workspaces until they reach their time limits.
 */
export function createTakeSlot({ atOnce, isOtherDue }: SlotsDeps): (workspaceId: string) => Slot {
  const taken = new Set<TakenSlot>();
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

  return (workspaceId) => {
    const slot: TakenSlot = { workspaceId, cpuMs: 0, isLost: false };
    taken.add(slot);
    return {
      mayContinue(cpuMs) {
        slot.cpuMs = cpuMs;
        check();
        return !slot.isLost;
      },
      free: () => void taken.delete(slot),
    };
  };
}
