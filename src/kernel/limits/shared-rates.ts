import { sql } from 'kysely';
import type { Database, Transaction } from '../database/database.ts';
import { deleteOld } from '../database/delete-old.ts';
import { createJsonTable } from '../database/json-table.ts';
import { WHERE_TRUE } from '../database/where-true.ts';

/**
 * Token buckets in the database: `burst` at once, then `perMinute` per minute, exact for all nodes and after
 * a restart.
 */
export interface SharedRates {
  /**
   * Reads and locks the buckets of `keys` until the end of the transaction: two statements for any number of keys.
   */
  open(trx: Transaction, keys: readonly string[]): Promise<OpenBuckets>;
  /** Deletes the rows of full buckets. */
  sweep(): Promise<void>;
}

export interface OpenBuckets {
  /**
   * Takes `count` tokens if there is at least one, and returns 0; a negative balance delays the next call. Otherwise
   * takes none and returns the ms until there is a token.
   */
  take(key: string, count?: number): number;
  /** Stores the used amounts. Call before the commit. */
  save(): Promise<void>;
}

/** @property filling the µs until the bucket is full */
interface Filling {
  scope: string;
  filling: number;
}

interface SharedRate {
  database: Database;
  /** Distinguishes the keys from those of other rates. */
  name: string;
  burst: number;
  perMinute: number;
  /** Maximum number of tokens that a `take` of more can use; default 1. */
  maxCount?: number;
}

/** Fractions of a millisecond, since a bucket may get several tokens in one. */
const MICROS = 1_000;
const MINUTE_MICROS = 60_000 * MICROS;

const WANTED = { scope: 'text', taken: 'bigint' } as const;

/** A bucket is the time at which it will be full; a row without a future time is a full bucket. */
export function createSharedRates({
  database,
  name,
  burst,
  perMinute,
  maxCount = 1,
}: SharedRate): SharedRates {
  const perToken = MINUTE_MICROS / perMinute;
  /** The longest time in which a bucket fills. A row with a longer one is a full bucket: the clock was set back. */
  const longest = Math.ceil((burst + maxCount) * perToken);
  const now = () => sql<number>`${database.now} * ${sql.lit(MICROS)}`;
  const scopeOf = (key: string) => `${name}:${key}`;
  const wanted = createJsonTable(database.kind, 'wanted', WANTED);
  const filling = () => sql`rates.full_at - ${now()} as filling`;
  const select = database.prepare(
    (_: Transaction, { rows }: { rows: string }) =>
      database.kind === 'postgres'
        ? // Adds missing rows, which could not be locked otherwise. The rows are locked in one order, so that no two
          // transactions wait for each other.
          sql<Filling>`
          insert into rates (scope, full_at)
          select scope, ${now()} from ${wanted.over(rows)} order by 1
          on conflict (scope) do update set full_at = rates.full_at
          returning rates.scope, ${filling()}`
        : sql<Filling>`
          select rates.scope, ${filling()}
          from rates join ${wanted.over(rows)} on wanted.scope = rates.scope`,
    { isLookup: true },
  );
  const upsert = database.prepare(
    (_: Transaction, { rows }: { rows: string }) => sql`
      insert into rates (scope, full_at)
      select scope, ${now()} + taken from ${wanted.over(rows)} ${WHERE_TRUE} order by 1
      on conflict (scope) do update set full_at = excluded.full_at
        + case when rates.full_at - ${now()} between 0 and ${sql.lit(longest)}
          then rates.full_at - ${now()} else 0 end`,
    { isLookup: true },
  );

  /** Returns the µs until each bucket is full. */
  async function read(trx: Transaction, scopes: readonly string[]): Promise<Map<string, number>> {
    const rows = await select(trx, {
      rows: wanted.encode(scopes.map((scope) => ({ scope, taken: 0 }))),
    });
    return new Map(rows.map(({ scope, filling }) => [scope, filling > longest ? 0 : filling]));
  }

  async function add(trx: Transaction, taken: ReadonlyMap<string, number>): Promise<void> {
    const rows = [...taken].map(([scope, count]) => ({ scope, taken: Math.floor(count * perToken) }));
    await upsert(trx, { rows: wanted.encode(rows) });
  }

  return {
    async open(trx, keys) {
      const filling = await read(trx, [...new Set(keys)].map(scopeOf));
      const taken = new Map<string, number>();
      return {
        take(key, count = 1) {
          const scope = scopeOf(key);
          const before = taken.get(scope) ?? 0;
          const untilToken = Math.max(0, filling.get(scope) ?? 0) + (before + 1 - burst) * perToken;
          if (untilToken > 0) return Math.ceil(untilToken / MICROS);
          taken.set(scope, before + Math.min(count, maxCount));
          return 0;
        },
        save: async () => {
          if (taken.size > 0) await add(trx, taken);
        },
      };
    },
    async sweep() {
      await deleteOld(database, 'rates', ['scope'], (where) =>
        where.and([where('scope', 'like', `${name}:%`), where('full_at', '<', now())]),
      );
    },
  };
}
