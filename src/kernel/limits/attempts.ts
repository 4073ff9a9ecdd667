import { sql } from 'kysely';
import type { Clock } from '../clock.ts';
import type { Database, Transaction } from '../database/database.ts';
import { tooMany } from '../http/problem.ts';

/** One count of wrong attempts: what it is for, how many are allowed, in which time. */
export interface AttemptRule {
  scope: string;
  limit: number;
  windowMs: number;
}

/** Counts wrong secrets in the database, so that a block outlives a restart and holds on every node. */
export interface Attempts {
  /** @throws Problem 429 `too_many_attempts` with `Retry-After` when any rule's limit is reached */
  check(rules: readonly AttemptRule[]): Promise<void>;
  /** Counts one wrong attempt under every rule. */
  fail(rules: readonly AttemptRule[]): Promise<void>;
  /** Forgets the counts of all scopes that begin with `prefix`. */
  clear(trx: Transaction, prefix: string): Promise<void>;
  /** Deletes what has run out. */
  sweep(): Promise<void>;
}

export function createAttempts({ database, clock }: { database: Database; clock: Clock }): Attempts {
  return {
    async check(rules) {
      const now = clock.now();
      const rows = await database.read
        .selectFrom('attempts')
        .selectAll()
        .where(
          'scope',
          'in',
          rules.map(({ scope }) => scope),
        )
        .where('window_ends_at', '>', now)
        .execute();
      for (const { scope, limit } of rules) {
        const row = rows.find((candidate) => candidate.scope === scope);
        if (row && row.count >= limit)
          throw tooMany('too_many_attempts', 'Too many wrong attempts. Wait before you try again.', row.window_ends_at - now);
      }
    },
    async fail(rules) {
      const now = clock.now();
      await database.transaction(async (trx) => {
        for (const { scope, windowMs } of rules) {
          await trx
            .insertInto('attempts')
            .values({ scope, count: 1, window_ends_at: now + windowMs })
            .onConflict((conflict) =>
              conflict.column('scope').doUpdateSet((set) => ({
                count: set
                  .case()
                  .when('attempts.window_ends_at', '<=', now)
                  .then(1)
                  .else(set('attempts.count', '+', 1))
                  .end(),
                window_ends_at: set
                  .case()
                  .when('attempts.window_ends_at', '<=', now)
                  .then(now + windowMs)
                  .else(set.ref('attempts.window_ends_at'))
                  .end(),
              })),
            )
            .execute();
        }
      });
    },
    async clear(trx, prefix) {
      // Not LIKE: on SQLite it takes no notice of case and knows no escape of its wildcards.
      await trx.deleteFrom('attempts').where(sql`substr(scope, 1, length(${prefix}))`, '=', prefix).execute();
    },
    async sweep() {
      await database.transaction((trx) => trx.deleteFrom('attempts').where('window_ends_at', '<=', clock.now()).execute());
    },
  };
}
