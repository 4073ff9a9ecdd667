import { type SqlBool, sql } from 'kysely';
import { z } from 'zod';
import { isoTime, MINUTE } from './clock.ts';
import { digestOf } from './crypto/digest.ts';
import type { Database } from './database/database.ts';
import { createOptionalWrites } from './database/optional-writes.ts';
import { newToken } from './ids.ts';

/** Maximum number of access tokens of an owner, expired ones included. */
export const TOKENS_EACH = 100;
/** Resolution of the times of last use, which limits their writes. */
const USE_GRAIN_MS = MINUTE;

/** Times of an access token, in ms. */
export interface TokenTimes {
  dateCreated: number;
  /** Rounded to the minute; null = never. */
  dateUsed: number | null;
  /** Null = never. */
  expiresAt: number | null;
}

const nullableTime = z.iso.datetime().nullable();
/** `TokenTimes` in responses. */
export const tokenTimes = {
  dateCreated: z.iso.datetime(),
  dateUsed: nullableTime.describe('to the minute'),
  expiresAt: nullableTime,
};

/** Returns a secret with a prefix, by which people and secret scanners recognize it, and the hash to store. */
export function newSecret(prefix: string): { token: string; hash: string } {
  const token = prefix + newToken(32);
  return { token, hash: digestOf(token) };
}

/** Returns the condition that a token has not expired. @param table of the token, with the column `expires_at` */
export const isUnexpired = (table: string, now: number) => {
  const end = sql.ref(`${table}.expires_at`);
  return sql<SqlBool>`(${end} is null or ${end} > ${now})`;
};

/** Reports whether the use of a session or a token is to be recorded, since the last one is old enough. */
export const isNewUse = (lastUse: number | null, now: number) =>
  lastUse === null || now - lastUse >= USE_GRAIN_MS;

interface Use {
  id: string;
  lastUse: number | null;
  now: number;
}

/**
 * Returns a function that records the use of a token, without waiting for the write.
 * @param table of the tokens, with the columns `id` and `date_used`
 */
export function createUses(database: Database, table: string): (use: Use) => void {
  const write = createOptionalWrites(database);
  return ({ id, lastUse, now }) => {
    if (!isNewUse(lastUse, now)) return;
    write(id, (trx) => sql`update ${sql.table(table)} set date_used = ${now} where id = ${id}`.execute(trx));
  };
}

/** Returns a token as routes and commands show it: with times in ISO 8601. */
export function tokenRecord<Given extends TokenTimes>({ dateCreated, dateUsed, expiresAt, ...token }: Given) {
  return {
    ...token,
    dateCreated: isoTime(dateCreated),
    dateUsed: dateUsed === null ? null : isoTime(dateUsed),
    expiresAt: expiresAt === null ? null : isoTime(expiresAt),
  };
}
