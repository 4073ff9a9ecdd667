import { asUnavailable } from '../errors/unavailable.ts';
import type { Log } from '../log.ts';
import type { Claim } from './claim-runs.ts';
import type { Claims } from './claims.ts';
import type { FinishedAttempt } from './deliveries.ts';
import type { OutboxMessage, Run } from './message.ts';

interface RecorderDeps {
  claims: Claims;
  kind: string;
  log: Log;
  /** Called when an outcome is recorded; null = this process had lost the lease, so nothing was recorded. */
  recorded(attempt: FinishedAttempt, row: OutboxMessage | null): void;
  /** Called when an outcome could not be recorded. */
  failed(attempt: FinishedAttempt): void;
}

const NOTHING = { runs: 0, extra: 0, busy: [], length: 0 };

/**
 * Returns a function that records the outcomes of attempts and claims rows that are due, all in one transaction. When
 * that fails, it records the outcomes one by one and claims nothing; when the database is unavailable, it does neither.
 * @throws when there is no outcome to record and the database cannot be used
 */
export function createRecorder({ claims, kind, log, recorded, failed }: RecorderDeps) {
  async function recordAlone(attempt: FinishedAttempt): Promise<void> {
    try {
      const { recorded: rows } = await claims.recordAndClaim([attempt], { kind, ...NOTHING });
      recorded(attempt, rows[0] ?? null);
    } catch (error) {
      const { messageId } = attempt.message;
      log.error({ messageId, error }, 'an outcome could not be recorded');
      failed(attempt);
    }
  }

  return async (attempts: readonly FinishedAttempt[], claim: Omit<Claim, 'kind'>): Promise<Run[]> => {
    try {
      const { recorded: rows, claimed } = await claims.recordAndClaim(attempts, { kind, ...claim });
      for (const [index, attempt] of attempts.entries()) recorded(attempt, rows[index] ?? null);
      return claimed;
    } catch (error) {
      if (attempts.length === 0) throw error;
      log.error({ kind, error }, 'outcomes could not be recorded together');
      if (asUnavailable(error)) {
        for (const attempt of attempts) failed(attempt);
        return [];
      }
    }
    // One outcome may have caused the failure.
    for (const attempt of attempts) await recordAlone(attempt);
    return [];
  };
}
