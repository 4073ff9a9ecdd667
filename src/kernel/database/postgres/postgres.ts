import { Kysely } from 'kysely';
import { type Callers, NO_CALLERS } from '../../limits/callers.ts';
import { withAfterCommit } from '../after-commit.ts';
import type { Database, Tables } from '../database.ts';
import { POSTGRES_NOW } from '../now.ts';
import { createPrepare, runWithKysely } from '../prepared.ts';
import { postgresSnapshot } from '../snapshot.ts';
import { connectionsForWrites, fairReads } from './connection-shares.ts';
import { postgresDialect } from './driver.ts';
import { ConnectionBroken, isConflict, isViolation } from './errors.ts';
import { LONG_LIMITS, type PostgresLimits, REQUEST_LIMITS } from './limits.ts';
import { openPool } from './pool.ts';
import { repeatingReads } from './repeating-reads.ts';
import { createRowLocks } from './row-locks.ts';
import { lendUntil } from './transaction-limit.ts';
import { readPostgresUrl } from './url.ts';

const TRIES = 3;

interface PostgresOptions {
  connections?: number;
  /**
   * Reports whether statements may stay prepared on a connection. Behind a pooler in transaction mode, the next
   * statement may run on another connection to the server.
   */
  isDirect?(): boolean;
  limits?: PostgresLimits;
  caller?: Callers['current'];
}

/** Connects to the PostgreSQL database at `url`, with at most `connections` connections. */
export function openPostgres(
  url: string,
  {
    connections = 10,
    isDirect = () => false,
    limits = REQUEST_LIMITS,
    caller = NO_CALLERS.current,
  }: PostgresOptions = {},
): Database {
  const names = createStatementNames(isDirect);
  const pool = openPool(readPostgresUrl(url), connections, { connectMs: limits.connectMs, nameOf: names.of });
  const share = { connections, waitMs: limits.connectMs };
  const forWrites = connectionsForWrites(pool, { ...share, caller });
  const locks = createRowLocks({ waitMs: limits.statementMs, caller });
  const reads = new Kysely<Tables>({ dialect: postgresDialect(repeatingReads(pool), limits) });
  const fair = fairReads(repeatingReads(pool), share);
  const longRunning = new Kysely<unknown>({ dialect: postgresDialect(pool, LONG_LIMITS) });
  return {
    kind: 'postgres',
    now: POSTGRES_NOW,
    version: null,
    read: reads,
    prepare: createPrepare(runWithKysely, names.add),
    caller,
    // No child process is needed: a statement has a time limit.
    slow: (caller) => new Kysely<Tables>({ dialect: postgresDialect(fair(caller), limits) }),
    schema: longRunning,
    lock: locks.lock,
    ...withAfterCommit(async (work, committed) => {
      const lending = lendUntil(forWrites, performance.now() + limits.transactionMs);
      const writes = new Kysely<Tables>({ dialect: postgresDialect(lending, limits) });
      let violations = 0;
      for (let attempt = 1; ; attempt++) {
        try {
          const result = await locks.run((begun) =>
            writes.transaction().execute((trx) => {
              begun(trx);
              return work(trx);
            }),
          );
          committed();
          return result;
        } catch (error) {
          // When repeated, `work` finds the row of the other transaction, and refuses for the right reason.
          const isRepeatable =
            isConflict(error) ||
            error instanceof ConnectionBroken ||
            (isViolation(error) && ++violations === 1);
          if (attempt === TRIES || !isRepeatable) throw error;
        }
      }
    }),
    // PostgreSQL makes a commit visible only once it is durable.
    durable: () => Promise.resolve(),
    snapshot: (work) => postgresSnapshot(longRunning, work),
    close: () => pool.end(),
  };
}

/** Names under which PostgreSQL keeps statements prepared, one set on each connection. */
interface StatementNames {
  /** Keeps a look-up prepared from now on. The program must have a fixed number of them: none is ever removed. */
  add(text: string): void;
  /** Returns the name of a statement; undefined = it is parsed and planned at each run. */
  of(text: string): string | undefined;
}

/** @param mayUse reports whether names may be used now */
function createStatementNames(mayUse: () => boolean): StatementNames {
  const names = new Map<string, string>();
  return {
    add(text) {
      if (!names.has(text)) names.set(text, `posthouse_${names.size}`);
    },
    of: (text) => (mayUse() ? names.get(text) : undefined),
  };
}
