import { sql } from 'kysely';
import { MINUTE } from '../clock.ts';
import type { Database, Transaction } from '../database/database.ts';
import { deleteOld } from '../database/delete-old.ts';
import { after } from '../database/now.ts';
import { limitKey } from '../ip.ts';
import { tooMany } from '../problem.ts';
import { createKeyedQueue } from './keyed-queue.ts';

/** A limit for wrong attempts: at most `limit` under `scope` in a window that begins with the first. */
export interface AttemptRule {
  scope: string;
  limit: number;
  windowMs: number;
}

/** Counts wrong attempts in the database, so that a block survives a restart and applies on every node. */
export interface Attempts {
  /** Returns the time until the limits of `rules` allow another attempt, ms; 0 = now. */
  waitFor(rules: readonly AttemptRule[]): Promise<number>;
  /** @throws Problem 429 `too_many_attempts` when any rule's limit is reached */
  check(rules: readonly AttemptRule[]): Promise<void>;
  /** Counts one wrong attempt under every rule. */
  fail(rules: readonly AttemptRule[]): Promise<void>;
  /**
   * Counts a wrong credential of any kind from a network address, also under `rules`. Correct credentials are never
   * counted or refused. Above the limit nothing is stored, so an address causes at most 100 rows per window and rule.
   * @throws Problem 429 `too_many_attempts` when the limit of the address or of one of `rules` was already reached
   */
  failFrom(address: string, rules?: readonly AttemptRule[]): Promise<void>;
  /** Deletes the count of a scope. */
  clear(trx: Transaction, scope: string): Promise<void>;
  /** Deletes the counts of all scopes that begin with `prefix`. */
  clearAll(trx: Transaction, prefix: string): Promise<void>;
  /** Deletes the counts whose window is over and, beyond the maximum number of rows, those whose window ends first. */
  sweep(): Promise<void>;
}

/** Maximum number of wrong credentials of all kinds from one address in a window. */
const WRONG_FROM_ADDRESS = 100;
const WINDOW_MS = 15 * MINUTE;
/** Maximum number of rows, since an attacker can have any number of IPv6 networks. */
const MAX_ROWS = 100_000;

interface AttemptsDeps {
  database: Database;
  maxRows?: number;
}

export function createAttempts({ database, maxRows = MAX_ROWS }: AttemptsDeps): Attempts {
  const inTurn = createKeyedQueue();
  const waitFor = async (rules: readonly AttemptRule[]) => {
    const rows = await database.read
      .selectFrom('attempts')
      .select(['scope', 'count', sql<number>`window_ends_at - ${database.now}`.as('left')])
      .where(
        'scope',
        'in',
        rules.map(({ scope }) => scope),
      )
      .where('window_ends_at', '>', database.now)
      .execute();
    const waits = rules.map(({ scope, limit, windowMs }) => {
      const row = rows.find((candidate) => candidate.scope === scope);
      // A window that ends later than one that begins now is over: the clock was set back.
      return row && row.count >= limit && row.left <= windowMs ? row.left : 0;
    });
    return Math.max(0, ...waits);
  };
  const check = async (rules: readonly AttemptRule[]) => {
    const waitMs = await waitFor(rules);
    if (waitMs > 0)
      throw tooMany('too_many_attempts', 'Too many wrong attempts. Wait before you try again.', waitMs);
  };
  const fail = async (rules: readonly AttemptRule[]) => {
    await database.transaction(async (trx) => {
      for (const rule of rules) await countAttempt(trx, rule, database.now);
    });
  };
  /**
   * Counts one wrong attempt under every rule, or under none if that exceeds a limit; reports whether it was counted.
   */
  const countWithin = async (rules: readonly AttemptRule[]): Promise<boolean> => {
    try {
      await database.transaction(async (trx) => {
        for (const rule of rules)
          if ((await countAttempt(trx, rule, database.now)) > rule.limit) throw new LimitExceeded();
      });
      return true;
    } catch (error) {
      if (error instanceof LimitExceeded) return false;
      throw error;
    }
  };
  return {
    waitFor,
    check,
    fail,
    async failFrom(address, rules = []) {
      const scope = `address:${limitKey(address)}`;
      const all = [{ scope, limit: WRONG_FROM_ADDRESS, windowMs: WINDOW_MS }, ...rules];
      await inTurn(scope, async () => {
        await check(all);
        // Between the two, other nodes may have counted attempts up to the limit.
        if (!(await countWithin(all))) await check(all);
      });
    },
    async clear(trx, scope) {
      await trx.deleteFrom('attempts').where('scope', '=', scope).execute();
    },
    async clearAll(trx, prefix) {
      // A range of the primary key, which both databases sort by bytes.
      await trx
        .deleteFrom('attempts')
        .where('scope', '>=', prefix)
        .where('scope', '<', `${prefix}\u{10ffff}`)
        .execute();
    },
    sweep: () => sweepAttempts(database, maxRows),
  };
}

async function sweepAttempts(database: Database, maxRows: number): Promise<void> {
  const { window_ends_at: surplus } = (await database.read
    .selectFrom('attempts')
    .select('window_ends_at')
    .orderBy('window_ends_at', 'desc')
    .limit(1)
    .offset(maxRows)
    .executeTakeFirst()) ?? { window_ends_at: 0 };
  await deleteOld(database, 'attempts', ['scope'], (where) =>
    where.or([where('window_ends_at', '<=', surplus), where('window_ends_at', '<=', database.now)]),
  );
}

/** Rolls back the transaction that has counted one attempt too many. */
class LimitExceeded extends Error {}

/** Adds 1 to the count of a running window, or begins a new one; returns the count. */
async function countAttempt(
  trx: Transaction,
  { scope, windowMs }: AttemptRule,
  now: Database['now'],
): Promise<number> {
  const ends = after({ now }, windowMs);
  const row = await trx
    .insertInto('attempts')
    .values({ scope, count: 1, window_ends_at: ends })
    .onConflict((conflict) =>
      conflict.column('scope').doUpdateSet((set) => {
        const isOver = set.or([
          set('attempts.window_ends_at', '<=', now),
          set('attempts.window_ends_at', '>', ends),
        ]);
        return {
          count: set
            .case()
            .when(isOver)
            .then(1)
            .else(set('attempts.count', '+', 1))
            .end(),
          window_ends_at: set.case().when(isOver).then(ends).else(set.ref('attempts.window_ends_at')).end(),
        };
      }),
    )
    .returning('count')
    .executeTakeFirstOrThrow();
  return row.count;
}
