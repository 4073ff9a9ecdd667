import { SECOND } from '../../kernel/clock.ts';
import { createFairQueue } from '../../kernel/limits/fair-queue.ts';
import { Problem } from '../../kernel/problem.ts';
import { createTally } from '../../kernel/tally.ts';

/**
 * No further ZIP file is begun while those that are laid out or sent have this many files and folders: in total, each
 * about 500 bytes of memory, and of one workspace.
 */
const MEMBERS = 1_000_000;
const MEMBERS_EACH = 500_000;
/** Maximum number of files and folders of one ZIP file. */
const MEMBERS_AT_ONCE = 500_000;
/** Maximum number of folders of one ZIP file, each up to 2 KB of memory while it is laid out. */
const FOLDERS_AT_ONCE = 100_000;
/** A layout of 20,000 files takes 90 ms of the main thread, in time slices. */
const QUEUE = { running: 4, runningEach: 2, waiting: 1_000, waitingEach: 100, waitMs: 20 * SECOND };
const RETRY_MS = 5 * SECOND;

/** The layout of a ZIP file. */
export interface Layout {
  /** Equal only for layouts of the same members with the same bytes. */
  key: string;
  /** Number of files and folders. */
  count: number;
}

/** The files and folders of a ZIP file, counted while they are read. */
export interface MemberCount {
  readonly count: number;
  /** @throws Problem 409 `folder_too_large` */
  add(more: number): void;
  /** Adds folders. @throws Problem 409 `folder_too_large` */
  addFolders(more: number): void;
}

interface Origin {
  workspaceId: string;
  /** Equal for requests for the same ZIP file. */
  target: string;
}

/** Bounds the time and the memory of ZIP files when many are requested at once. */
export interface SharedExports<Each extends Layout> {
  /**
   * Runs `layOut` in turn with other workspaces; calls for the same target that wait for their turn share one run. For
   * layouts with the same key, it returns the same object.
   * @throws Problem 429 `rate_limited`, 503 `unavailable` when too many wait, or are being sent
   */
  share(origin: Origin, layOut: (members: MemberCount) => Promise<Each | null>): Promise<Each | null>;
  /** Counts a layout as being sent until the returned function is called. */
  begin(workspaceId: string, layout: Each): () => void;
}

/** @param longest maximum number of files and folders of one ZIP file */
export function createSharedExports<Each extends Layout>(longest = MEMBERS_AT_ONCE): SharedExports<Each> {
  const inTurn = createFairQueue(QUEUE);
  const waiting = new Map<string, Promise<Each | null>>();
  const known = new Map<string, WeakRef<Each>>();
  const readers = createTally<Each>();
  const members = createTally<string>();

  function requireMemory(workspaceId: string): void {
    if (members.total < MEMBERS && members.of(workspaceId) < MEMBERS_EACH) return;
    throw new Problem('unavailable', 'Too many ZIP files are being sent. Try again in a few seconds.', {
      retryAfterMs: RETRY_MS,
    });
  }

  function countOf(workspaceId: string): MemberCount {
    let [count, folders] = [0, 0];
    const addAny = (more: number) => {
      count += more;
      members.add(workspaceId, more);
      if (count > longest) throw tooLarge(`A ZIP file can have at most ${longest} files and folders.`);
    };
    return {
      get count() {
        return count;
      },
      add: addAny,
      addFolders(more) {
        addAny(more);
        folders += more;
        if (folders > FOLDERS_AT_ONCE)
          throw tooLarge(`A ZIP file can have at most ${FOLDERS_AT_ONCE} folders.`);
      },
    };
  }

  function one(layout: Each): Each {
    const same = known.get(layout.key)?.deref();
    if (same) return same;
    for (const [key, each] of known) if (!each.deref()) known.delete(key);
    known.set(layout.key, new WeakRef(layout));
    return layout;
  }

  return {
    async share({ workspaceId, target }, layOut) {
      const earlier = waiting.get(target);
      if (earlier) return await earlier;
      const run = inTurn(workspaceId, async () => {
        waiting.delete(target);
        requireMemory(workspaceId);
        const read = countOf(workspaceId);
        try {
          const layout = await layOut(read);
          return layout && one(layout);
        } finally {
          members.add(workspaceId, -read.count);
        }
      });
      waiting.set(target, run);
      try {
        return await run;
      } finally {
        if (waiting.get(target) === run) waiting.delete(target);
      }
    },
    begin(workspaceId, layout) {
      if (readers.add(layout, 1) === 1) members.add(workspaceId, layout.count);
      return () => {
        if (readers.add(layout, -1) === 0) members.add(workspaceId, -layout.count);
      };
    },
  };
}

const tooLarge = (detail: string) => new Problem('folder_too_large', detail);
