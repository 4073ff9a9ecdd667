import type { Selectable } from 'kysely';
import { DAY } from '../clock.ts';
import { digestOf } from '../crypto/digest.ts';
import type { Database, Transaction } from '../database/database.ts';
import { deleteOld } from '../database/delete-old.ts';
import { after } from '../database/now.ts';
import type { IdempotencyKeysTable } from '../tables.ts';
import type { Acceptance, Answer } from './acceptance.ts';

const KEPT_MS = DAY;

/** A key that was taken before. */
export interface TakenKey {
  fingerprint: string;
  messageId: string;
  /** Null = there is no first response yet. */
  answer: Answer | null;
}

export interface NewKey extends TakenKey {
  scope: string;
}

/** Idempotency keys, kept for a day. A scope is the digest of a route, a client and a key. */
export interface IdempotencyKeys {
  /** Takes keys of distinct scopes. Returns, by scope, those that were taken before. */
  take(trx: Transaction, keys: readonly NewKey[]): Promise<Map<string, TakenKey>>;
  /** Records the response of a key. @param replace true = even when it has one */
  answer(trx: Transaction, scope: string, answer: Answer, replace: boolean): Promise<void>;
  /** Frees a key for another request. */
  release(trx: Transaction, scope: string): Promise<void>;
  /** Deletes expired keys. */
  sweep(): Promise<void>;
}

/** Returns the scope of the key of `acceptance`; null = it has none. */
export function scopeOf({ route, clientId, delivery }: Acceptance): string | null {
  if (delivery.idempotencyKey === null) return null;
  return digestOf([route, clientId, delivery.idempotencyKey].join('\n'));
}

/** Returns the fingerprint of a message; '' without a key, since nothing is compared then. */
export function fingerprintFor(
  { idempotencyKey }: Pick<Acceptance['delivery'], 'idempotencyKey'>,
  contentOf: () => unknown,
): string {
  return idempotencyKey === null ? '' : fingerprintOf(contentOf());
}

/** Returns a digest of a JSON value that does not depend on the order of its keys. */
export function fingerprintOf(content: unknown): string {
  return digestOf(JSON.stringify(withSortedKeys(content)) ?? '');
}

function withSortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedKeys);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([key, inner]) => [key, withSortedKeys(inner)]);
}

export function createIdempotencyKeys(database: Database): IdempotencyKeys {
  return {
    async take(trx, keys) {
      if (keys.length === 0) return new Map();
      const scopes = keys.map(({ scope }) => scope);
      await trx
        .deleteFrom('idempotency_keys')
        .where('scope', 'in', scopes)
        .where('expires_at', '<', database.now)
        .execute();
      const inserted = await trx
        .insertInto('idempotency_keys')
        .values(
          keys.map(({ scope, fingerprint, messageId, answer }) => ({
            scope,
            fingerprint,
            message_id: messageId,
            ...toColumns(answer),
            expires_at: after(database, KEPT_MS),
          })),
        )
        .onConflict((conflict) => conflict.column('scope').doNothing())
        .returning('scope')
        .execute();
      const own = new Set(inserted.map(({ scope }) => scope));
      const others = scopes.filter((scope) => !own.has(scope));
      if (others.length === 0) return new Map();
      const taken = await trx
        .selectFrom('idempotency_keys')
        .selectAll()
        .where('scope', 'in', others)
        .execute();
      return new Map(taken.map((row) => [row.scope, fromRow(row)]));
    },

    async answer(trx, scope, answer, replace) {
      let update = trx.updateTable('idempotency_keys').set(toColumns(answer)).where('scope', '=', scope);
      if (!replace) update = update.where('answer_status', 'is', null);
      await update.execute();
    },

    async release(trx, scope) {
      await trx.deleteFrom('idempotency_keys').where('scope', '=', scope).execute();
    },

    async sweep() {
      await deleteOld(database, 'idempotency_keys', ['scope'], (where) =>
        where('expires_at', '<', database.now),
      );
    },
  };
}

function toColumns(answer: Answer | null) {
  return { answer_status: answer?.status ?? null, answer_body: answer ? JSON.stringify(answer.body) : null };
}

function fromRow(row: Selectable<IdempotencyKeysTable>): TakenKey {
  return {
    fingerprint: row.fingerprint,
    messageId: row.message_id,
    answer:
      row.answer_status === null
        ? null
        : { status: row.answer_status, body: JSON.parse(row.answer_body ?? 'null') as unknown },
  };
}
