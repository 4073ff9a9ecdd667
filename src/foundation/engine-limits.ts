import {
  LONG_LIMITS,
  type PostgresLimits,
  REQUEST_LIMITS,
  SIGNAL_TIMES,
  type SignalTimes,
} from '../kernel/database/postgres/limits.ts';
import { LONG_WRITE_LOCK_MS, WRITE_LOCK_MS } from '../kernel/database/sqlite/limits.ts';
import { S3_LIMITS, type S3Limits } from '../storage/blobs/s3-limits.ts';

/** Time limits for the database and the blob store; tests shorten them. */
export interface EngineLimits {
  /** Maximum wait for the write lock of SQLite, ms. */
  lockMs: number;
  postgres: PostgresLimits;
  signals: SignalTimes;
  s3: S3Limits;
}

export const SERVER_LIMITS: EngineLimits = {
  lockMs: WRITE_LOCK_MS,
  postgres: REQUEST_LIMITS,
  signals: SIGNAL_TIMES,
  s3: S3_LIMITS,
};

/** Longer, since no request waits for a command, and some commands read all rows. */
export const COMMAND_LIMITS: EngineLimits = {
  ...SERVER_LIMITS,
  lockMs: LONG_WRITE_LOCK_MS,
  postgres: LONG_LIMITS,
};
