import type { Adapter, AdapterPayload } from 'oidc-provider';
import type { Clock } from '../../kernel/clock.ts';
import { digestOf } from '../../kernel/crypto/digest.ts';
import type { Vault } from '../../kernel/crypto/vault.ts';
import type { Database, Transaction } from '../../kernel/database/database.ts';
import { deleteOld } from '../../kernel/database/delete-old.ts';
import type { IssuerPayloadsTable } from '../tables.ts';

interface PayloadsDeps {
  database: Database;
  clock: Clock;
  vault: Vault;
  /** Number of unfinished sign-ins that are kept; the oldest are deleted. */
  maxInteractions?: number;
}

export const PAYLOAD_PURPOSE = 'issuer payload';
/** The model of sign-ins that have begun. Anyone can create these payloads, 3 KB each. */
const INTERACTION = 'Interaction';
const MAX_INTERACTIONS = 10_000;
/**
 * Counting costs a scan of the rows, so the number of interactions can exceed its maximum by this much on each
 * node.
 */
const EVICT_EVERY = 100;

/** Storage of oidc-provider for codes, interactions, grants and sessions: one table for all of its models. */
export interface Payloads {
  adapterOf(model: string): Adapter;
  /** Deletes expired payloads. */
  sweep(): Promise<void>;
}

export function createPayloads(deps: PayloadsDeps): Payloads {
  const { database, clock, maxInteractions = MAX_INTERACTIONS } = deps;
  let stored = 0;
  const evict = async (trx: Transaction) => {
    if (stored++ % EVICT_EVERY === 0) await evictInteractions(trx, maxInteractions);
  };
  return {
    adapterOf: (model) => createAdapter(deps, model, model === INTERACTION ? evict : async () => {}),
    async sweep() {
      await deleteOld(database, 'issuer_payloads', ['id'], (where) => where('expires_at', '<=', clock.now()));
    },
  };
}

/** Deletes the oldest interactions beyond `max`; all have the same lifetime. */
async function evictInteractions(trx: Transaction, max: number): Promise<void> {
  const interactions = trx.selectFrom('issuer_payloads').where('model', '=', INTERACTION);
  const newest = interactions.select('expires_at').orderBy('expires_at', 'desc');
  const evicted = await newest.limit(1).offset(max).executeTakeFirst();
  if (!evicted) return;
  await trx
    .deleteFrom('issuer_payloads')
    .where('model', '=', INTERACTION)
    .where('expires_at', '<=', evicted.expires_at)
    .execute();
}

function createAdapter(
  { database, clock, vault }: PayloadsDeps,
  model: string,
  evict: (trx: Transaction) => Promise<void>,
): Adapter {
  const find = async (column: 'id' | 'uid' | 'user_code', value: string) => {
    const query = database.read.selectFrom('issuer_payloads').selectAll().where('model', '=', model);
    const row = await query.where(column, '=', digestOf(value)).executeTakeFirst();
    return row && openPayload(row, vault, clock.now());
  };

  return {
    async upsert(id, payload, expiresIn) {
      const key = digestOf(id);
      const values = {
        payload: vault.seal(PAYLOAD_PURPOSE, key, JSON.stringify(payload)),
        grant_id: hashOf(payload.grantId),
        user_code: hashOf(payload.userCode),
        uid: hashOf(payload.uid),
        expires_at: expiresIn === undefined ? null : clock.now() + expiresIn * 1000,
      };
      await database.transaction(async (trx) => {
        await trx
          .insertInto('issuer_payloads')
          .values({ model, id: key, consumed_at: null, ...values })
          .onConflict((conflict) => conflict.columns(['model', 'id']).doUpdateSet(values))
          .execute();
        await evict(trx);
      });
    },
    find: (id) => find('id', id),
    findByUid: (uid) => find('uid', uid),
    findByUserCode: (userCode) => find('user_code', userCode),
    async consume(id) {
      const { numUpdatedRows } = await database.transaction((trx) =>
        trx
          .updateTable('issuer_payloads')
          .set({ consumed_at: clock.now() })
          .where('model', '=', model)
          .where('id', '=', digestOf(id))
          .where('consumed_at', 'is', null)
          .executeTakeFirst(),
      );
      // RFC 6749 §4.1.2: a code is used once, even by simultaneous requests.
      if (numUpdatedRows === 0n) throw new Error(`${model} is already used`);
    },
    async destroy(id) {
      await database.transaction((trx) => {
        const query = trx.deleteFrom('issuer_payloads').where('model', '=', model);
        return query.where('id', '=', digestOf(id)).execute();
      });
    },
    async revokeByGrantId(grantId) {
      await database.transaction((trx) =>
        trx.deleteFrom('issuer_payloads').where('grant_id', '=', digestOf(grantId)).execute(),
      );
    },
  };
}

function openPayload(row: IssuerPayloadsTable, vault: Vault, now: number): AdapterPayload | undefined {
  if (row.expires_at !== null && row.expires_at <= now) return undefined;
  const payload = JSON.parse(vault.open(PAYLOAD_PURPOSE, row.id, row.payload)) as AdapterPayload;
  return row.consumed_at === null ? payload : { ...payload, consumed: Math.floor(row.consumed_at / 1000) };
}

function hashOf(value: string | undefined): string | null {
  return value === undefined ? null : digestOf(value);
}
