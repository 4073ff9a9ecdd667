import { SECOND } from '../../clock.ts';
import type { Log } from '../../log.ts';

/** A series ends after this long without a refusal; near the limit, accepted and refused requests alternate. */
const QUIET_MS = 10 * SECOND;

interface SeriesDeps {
  log: Pick<Log, 'info' | 'warn'>;
  later?(run: () => void, ms: number): void;
}

/**
 * Returns a function that records a request refused because file descriptors are scarce. The log has the start and the
 * end of a series of refusals: a line for each refusal would load a server that is already overloaded.
 */
export function createRefusalSeries({ log, later = afterwards }: SeriesDeps): () => void {
  let refused = 0;
  /** Refusals up to the last check. */
  let checked = 0;

  function check(): void {
    if (refused > checked) {
      checkLater();
      return;
    }
    log.info({ refused }, 'accepting requests again');
    refused = 0;
  }

  function checkLater(): void {
    checked = refused;
    later(check, QUIET_MS);
  }

  return () => {
    refused++;
    if (refused > 1) return;
    log.warn('rejecting requests: connections hold three quarters of the file descriptors');
    checkLater();
  };
}

function afterwards(run: () => void, ms: number): void {
  setTimeout(run, ms).unref();
}
