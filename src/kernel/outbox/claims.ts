import { sql } from 'kysely';
import type { Vault } from '../crypto/vault.ts';
import type { Database, Reader, Transaction } from '../database/database.ts';
import { isUnlockedOf } from '../database/unlocked.ts';
import type { LeaseKeeper, Leases } from '../leases.ts';
import { type Lanes, lanesOf, STEPS_ASIDE_AFTER } from './lanes.ts';
import type { Claimed, OutboxMessage } from './message.ts';
import { type Attempt, createRecordOutcomes } from './outcomes.ts';
import { fromRow, QUEUED, SECRET_PURPOSE, UNBLOCKED } from './rows.ts';

interface ClaimsDeps {
  database: Database;
  vault: Vault;
  lanes: Lanes;
  leases: Leases;
  /** Holder of the leases. */
  node: string;
}

/** The rows that this process has leased for delivery. */
export interface Claims {
  /**
   * Records the outcomes of attempts and leases at most `limit` rows of `kind` that are due, in one transaction.
   * `recorded` has the updated rows in the order of the attempts; null = this process had lost the lease.
   */
  recordAndClaim(
    kind: string,
    attempts: readonly Attempt[],
    limit: number,
  ): Promise<{ recorded: (OutboxMessage | null)[]; claimed: Claimed[] }>;
  /**
   * Returns the time until the next row of `kind` that this process has not leased is due, in ms (0 or less = now);
   * null = no such row.
   */
  nextDueInMs(kind: string): Promise<number | null>;
  /** Renews leases in the background. */
  keep(ids: () => readonly string[], failed: (error: unknown) => void): LeaseKeeper;
  /** Ends leases before their time; the attempts that they were taken for do not count. */
  release(ids: readonly string[]): Promise<void>;
}

export function createClaims({ database, vault, lanes, leases, node }: ClaimsDeps): Claims {
  const recordOutcomes = createRecordOutcomes({ database, lanes, node });
  const claimDue = prepareClaim({ database, leases, node });
  const readNextDue = prepareNextDue({ database, node });

  async function claim(trx: Transaction, kind: string, limit: number): Promise<Claimed[]> {
    const rows = await claimDue(trx, { kind, limit });
    // A row that kills the process at each attempt must not block its lane either.
    await lanes.unblockNext(trx, lanesOf(rows.filter(({ attempts }) => attempts >= STEPS_ASIDE_AFTER)));
    return rows
      .map((row) => ({
        ...fromRow(row),
        secret: row.secret === null ? null : vault.open(SECRET_PURPOSE, row.id, row.secret),
      }))
      .sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  return {
    recordAndClaim: (kind, attempts, limit) =>
      database.transaction(async (trx) => ({
        recorded: await recordOutcomes(trx, attempts),
        claimed: limit > 0 ? await claim(trx, kind, limit) : [],
      })),

    async nextDueInMs(kind) {
      const [next] = await readNextDue(database.read, { kind });
      return next ? Math.max(next.due_in, next.leased_for ?? next.due_in) : null;
    },

    keep: (ids, failed) => leases.keep({ ids, owner: node, failed }),
    release: (ids) => leases.release(ids, node),
  };
}

function prepareClaim({ database, leases, node }: Pick<ClaimsDeps, 'database' | 'leases' | 'node'>) {
  return database.prepare((trx: Transaction, { kind, limit }: { kind: string; limit: number }) => {
    const due = trx
      .selectFrom('outbox')
      .select('id')
      .where('kind', '=', kind)
      .where('status', '=', QUEUED)
      .where('blocked', '=', UNBLOCKED)
      .where('next_attempt_at', '<=', database.now)
      .where(leases.isFree())
      .orderBy('next_attempt_at')
      .limit(limit);
    return trx
      .updateTable('outbox')
      .set({
        // A lease that ended by itself was an attempt that the peer may have received.
        attempts: sql<number>`attempts + case when lease_owner is null then 0 else 1 end`,
        lease_owner: node,
        lease_until: leases.end(),
      })
      .where(isUnlockedOf(database, due))
      .returningAll();
  });
}

function prepareNextDue({ database, node }: Pick<ClaimsDeps, 'database' | 'node'>) {
  return database.prepare(
    (_: Reader, { kind }: { kind: string }) => sql<{ due_in: number; leased_for: number | null }>`
      select next_attempt_at - ${database.now} as due_in, lease_until - ${database.now} as leased_for
      from outbox
      where kind = ${kind} and status = 'queued' and blocked = 0
        and (lease_owner is null or lease_owner <> ${node})
      order by next_attempt_at limit 1`,
  );
}
