import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Vault } from '../crypto/vault.ts';
import type { Reader } from '../database/database.ts';
import type { LeaseKeeper } from '../leases/lease-keeper.ts';
import { LEASE_MS } from '../leases/leases.ts';
import { type Claim, type ClaimedRow, type ClaimRunsDeps, createClaimRuns } from './claim-runs.ts';
import type { Claimed, OutboxMessage, Run } from './message.ts';
import { type Attempt, createRecordOutcomes } from './outcomes.ts';
import { fromRow, SECRET_PURPOSE } from './rows.ts';

interface ClaimsDeps extends ClaimRunsDeps {
  vault: Vault;
}

/** The rows that this process has leased for delivery. */
export interface Claims {
  /**
   * Records the outcomes of attempts and leases rows that are due, in one transaction. `recorded` has the updated rows
   * in the order of the attempts; null = this process had lost the lease.
   */
  recordAndClaim(
    attempts: readonly Attempt[],
    claim: Claim,
  ): Promise<{ recorded: (OutboxMessage | null)[]; claimed: Run[] }>;
  /**
   * Returns the time until this process can lease a row of `kind`, in ms (0 or less = now): until the next row is due,
   * or the lease of another process on the first row ends; null = no such row. Also shortens leases that would last too
   * long because the clock was set back.
   */
  nextDueInMs(kind: string): Promise<number | null>;
  /** Renews leases in the background. */
  keep(ids: () => readonly string[], failed: (error: unknown) => void): LeaseKeeper;
  /** Ends leases early; the attempts for which they were taken do not count. */
  release(ids: readonly string[]): Promise<void>;
}

export function createClaims({ database, vault, lanes, leases, node }: ClaimsDeps): Claims {
  const recordOutcomes = createRecordOutcomes({ database, lanes, node });
  const claimRuns = createClaimRuns({ database, lanes, leases, node });
  const readNextDue = prepareNextDue({ database, leases, node });
  const toClaimed = (row: ClaimedRow): Claimed => ({
    ...fromRow(row),
    position: row.position,
    isOverdue: row.is_overdue === 1,
    secret: row.secret === null ? null : vault.open(SECRET_PURPOSE, row.id, row.secret),
  });

  return {
    recordAndClaim: (attempts, claim) =>
      database.transaction(async (trx) => {
        const recorded = await recordOutcomes(trx, attempts);
        const runs = claim.runs + claim.extra > 0 ? await claimRuns(trx, claim) : [];
        return { recorded, claimed: runs.map((rows) => rows.map(toClaimed)) };
      }),

    async nextDueInMs(kind) {
      const rows = await readNextDue(database.read, { kind });
      if (rows.length === 0) return null;
      if (rows.some(({ leased_for }) => (leased_for ?? 0) > LEASE_MS))
        await leases.shorten(sql`kind = ${kind} and status = 'queued' and blocked = 0`);
      const leasedFor = (row: { due_in: number; leased_for: number | null }) =>
        Math.min(row.leased_for ?? row.due_in, LEASE_MS);
      return Math.min(...rows.map((row) => Math.max(row.due_in, leasedFor(row))));
    },

    keep: (ids, failed) => leases.keep({ ids, owner: node, failed }),
    release: (ids) => leases.release(ids, node),
  };
}

/** Prepares a query for the next row that no process has leased, and the next one that this process has not leased. */
function prepareNextDue({ database, leases, node }: Pick<ClaimsDeps, 'database' | 'leases' | 'node'>) {
  return database.prepare((_: Reader, { kind }: { kind: string }) => {
    const { now } = database;
    // Read in the order of an index, past leased rows only.
    const next = (condition: RawBuilder<SqlBool>) => sql`
      select next_attempt_at - ${now} as due_in, lease_until - ${now} as leased_for
      from outbox
      where kind = ${kind} and status = 'queued' and blocked = 0 and ${condition}
      order by next_attempt_at limit 1`;
    const isNotOwn = sql<SqlBool>`(lease_owner is null or lease_owner <> ${node} or lease_until <= ${now})`;
    return sql<{ due_in: number; leased_for: number | null }>`
      select * from (${next(leases.isFree())}) as free
      union all
      select * from (${next(isNotOwn)}) as others`;
  });
}
