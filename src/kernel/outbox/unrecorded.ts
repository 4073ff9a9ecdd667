import type { FinishedAttempt } from './deliveries.ts';

interface UnrecordedDeps {
  /** Time before an outcome that could not be recorded is recorded again, ms. */
  pauseMs: number;
  /** Called when there are outcomes to record. */
  ready(): void;
}

/**
 * The finished attempts whose outcomes are not recorded. They are kept until they are recorded, since no
 * other process has them.
 */
export interface Unrecorded {
  readonly size: number;
  add(attempt: FinishedAttempt): void;
  /** Removes and returns the attempts to record now. */
  take(): FinishedAttempt[];
  /** Adds an attempt that could not be recorded; `take` returns it after a pause. */
  retry(attempt: FinishedAttempt): void;
  /** Ends all pauses. From now on, `ready` is not called. */
  end(): void;
}

export function createUnrecorded({ pauseMs, ready }: UnrecordedDeps): Unrecorded {
  let attempts: FinishedAttempt[] = [];
  const waiting = new Map<FinishedAttempt, Timer>();
  let hasEnded = false;

  function add(attempt: FinishedAttempt): void {
    attempts.push(attempt);
    if (!hasEnded) ready();
  }

  function addAgain(attempt: FinishedAttempt): void {
    clearTimeout(waiting.get(attempt));
    waiting.delete(attempt);
    add(attempt);
  }

  return {
    get size() {
      return attempts.length + waiting.size;
    },
    add,
    take() {
      const taken = attempts;
      attempts = [];
      return taken;
    },
    retry(attempt) {
      if (hasEnded) add(attempt);
      else waiting.set(attempt, setTimeout(addAgain, pauseMs, attempt));
    },
    end() {
      hasEnded = true;
      for (const attempt of [...waiting.keys()]) addAgain(attempt);
    },
  };
}
