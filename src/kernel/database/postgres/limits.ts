import { MINUTE, SECOND } from '../../clock.ts';

/** Time limits for PostgreSQL, in milliseconds. */
export interface PostgresLimits extends StatementLimits {
  /** Time to connect, or to wait for a connection while all are in use. */
  connectMs: number;
  /** Time in which a transaction, including its waits and repetitions, may send statements. */
  transactionMs: number;
}

export interface StatementLimits {
  /** Time of a statement, including its wait for locks. */
  statementMs: number;
  /** Time between two statements of a transaction. */
  idleMs: number;
}

/** Times of the connection for signals, in milliseconds. */
export interface SignalTimes {
  /** Time limit of a new connection and of each statement. */
  answerMs: number;
  /** Pause between two statements that check whether the connection works. */
  heartbeatMs: number;
  /** First pause before a new connection, doubled by each failure up to the longest. */
  reconnectMs: number;
  longestPauseMs: number;
}

/**
 * A request that cannot succeed waits for at most one connection (a quarter longer than `connectMs` on a full server)
 * and one statement, so its response is sent within 10 s. If each statement succeeds slowly, a transaction ends within
 * `transactionMs` and two more statements, the last being the rollback.
 */
export const REQUEST_LIMITS: PostgresLimits = {
  connectMs: 4 * SECOND,
  statementMs: 4 * SECOND,
  transactionMs: 5 * SECOND,
  idleMs: 10 * SECOND,
};

/** Limits of migrations, snapshots and commands. */
export const LONG_LIMITS: PostgresLimits = {
  connectMs: 5 * SECOND,
  statementMs: 30 * MINUTE,
  transactionMs: Number.POSITIVE_INFINITY,
  idleMs: 30 * MINUTE,
};

export const SIGNAL_TIMES: SignalTimes = {
  answerMs: 4 * SECOND,
  heartbeatMs: 5 * SECOND,
  reconnectMs: SECOND / 4,
  longestPauseMs: 4 * SECOND,
};
