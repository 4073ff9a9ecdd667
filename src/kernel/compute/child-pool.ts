import type { ChildPriority } from './priority.ts';
import type { Child } from './start-child.ts';

interface ChildPoolDeps {
  start(priority: ChildPriority): Promise<Child>;
  /** Maximum number of idle children of each priority. */
  children: number;
  /** Time after which an idle child ends, ms. */
  idleMs: number;
  /** False = a child runs the jobs of one owner only. */
  isShared: boolean;
}

/** Children, each started when it is first needed and kept for later jobs. */
interface ChildPool {
  /** Returns an idle child, otherwise a new one. @throws Unavailable when it does not start */
  take(owner: string, priority: ChildPriority): Promise<Child>;
  /** Keeps a child for later jobs, unless it has ended. */
  release(child: Child, owner: string): void;
  /** Kills the children, and those that are still starting. */
  stop(): void;
}

/** A child without a job, with the timer that ends it. */
interface IdleChild {
  child: Child;
  /** Owner of its jobs; of the last one where children are shared. */
  owner: string;
  timer: Timer;
}

export function createChildPool({ start, children, idleMs, isShared }: ChildPoolDeps): ChildPool {
  const all = new Set<Child>();
  const idle: IdleChild[] = [];
  let stopped = false;

  const idleWith = (priority: ChildPriority) =>
    idle.filter(({ child }) => child.isAlive() && child.priority() === priority);

  function removeIdle(entry: IdleChild): void {
    clearTimeout(entry.timer);
    idle.splice(idle.indexOf(entry), 1);
  }

  function end(entry: IdleChild): void {
    removeIdle(entry);
    discard(entry.child);
  }

  function discard(child: Child): void {
    all.delete(child);
    child.kill();
  }

  return {
    async take(owner, priority) {
      const entry = idleWith(priority).findLast((each) => isShared || each.owner === owner);
      if (entry) {
        removeIdle(entry);
        return entry.child;
      }
      const child = await start(priority);
      all.add(child);
      if (stopped) child.kill();
      return child;
    },
    release(child, owner) {
      if (!child.isAlive()) {
        discard(child);
        return;
      }
      const entry: IdleChild = { child, owner, timer: setTimeout(() => end(entry), idleMs) };
      entry.timer.unref();
      idle.push(entry);
      const [oldest, ...others] = idleWith(child.priority());
      if (oldest && others.length >= children) end(oldest);
    },
    stop() {
      stopped = true;
      for (const { timer } of idle) clearTimeout(timer);
      for (const child of all) child.kill();
    },
  };
}
