import {
  LONG_LIMITS,
  type PostgresLimits,
  REQUEST_LIMITS,
  SIGNAL_TIMES,
  type SignalTimes,
} from './kernel/database/postgres-limits.ts';

/** Time limits towards the database; tests shorten them. */
export interface EngineLimits {
  postgres: PostgresLimits;
  signals: SignalTimes;
}

export const SERVER_LIMITS: EngineLimits = { postgres: REQUEST_LIMITS, signals: SIGNAL_TIMES };

/** Nobody waits for the answer to a command, and some read everything. */
export const COMMAND_LIMITS: EngineLimits = { ...SERVER_LIMITS, postgres: LONG_LIMITS };
