import type { Adapter, AdapterPayload } from 'oidc-provider';
import type { Clock } from '../../kernel/clock.ts';
import { hashToken, type Vault } from '../../kernel/crypto/vault.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { IssuerPayloadsTable } from '../tables.ts';

interface PayloadsParts {
  database: Database;
  clock: Clock;
  vault: Vault;
}

const PURPOSE = 'issuer payload';

export type Payloads = ReturnType<typeof createPayloads>;

/** Where oidc-provider keeps its codes, interactions, grants and sessions: one table for all of its models. */
export function createPayloads({ database, clock, vault }: PayloadsParts) {
  const opened = (row: IssuerPayloadsTable | undefined): AdapterPayload | undefined => {
    if (!row || (row.expires_at !== null && row.expires_at <= clock.now())) return undefined;
    const payload = JSON.parse(vault.open(PURPOSE, row.payload)) as AdapterPayload;
    return row.consumed_at === null ? payload : { ...payload, consumed: Math.floor(row.consumed_at / 1000) };
  };
  const hashed = (value: string | undefined) => (value === undefined ? null : hashToken(value));

  function adapterOf(model: string): Adapter {
    const select = () => database.read.selectFrom('issuer_payloads').selectAll().where('model', '=', model);
    return {
      async upsert(id, payload, expiresIn) {
        const values = {
          payload: vault.seal(PURPOSE, JSON.stringify(payload)),
          grant_id: hashed(payload.grantId),
          user_code: hashed(payload.userCode),
          uid: hashed(payload.uid),
          expires_at: expiresIn === undefined ? null : clock.now() + expiresIn * 1000,
        };
        await database.transaction((trx) =>
          trx
            .insertInto('issuer_payloads')
            .values({ model, id: hashToken(id), consumed_at: null, ...values })
            .onConflict((conflict) => conflict.columns(['model', 'id']).doUpdateSet(values))
            .execute(),
        );
      },
      async find(id) {
        return opened(await select().where('id', '=', hashToken(id)).executeTakeFirst());
      },
      async findByUid(uid) {
        return opened(await select().where('uid', '=', hashToken(uid)).executeTakeFirst());
      },
      async findByUserCode(userCode) {
        return opened(await select().where('user_code', '=', hashToken(userCode)).executeTakeFirst());
      },
      async consume(id) {
        const { numUpdatedRows } = await database.transaction((trx) =>
          trx
            .updateTable('issuer_payloads')
            .set({ consumed_at: clock.now() })
            .where('model', '=', model)
            .where('id', '=', hashToken(id))
            .where('consumed_at', 'is', null)
            .executeTakeFirst(),
        );
        // RFC 6749 §4.1.2: a code is used once, also by two requests that come at the same moment.
        if (numUpdatedRows === 0n) throw new Error(`this ${model} was used before`);
      },
      async destroy(id) {
        await database.transaction((trx) =>
          trx.deleteFrom('issuer_payloads').where('model', '=', model).where('id', '=', hashToken(id)).execute(),
        );
      },
      async revokeByGrantId(grantId) {
        await database.transaction((trx) => trx.deleteFrom('issuer_payloads').where('grant_id', '=', hashToken(grantId)).execute());
      },
    };
  }

  return {
    adapterOf,
    /** Deletes what has run out. */
    async sweep(): Promise<void> {
      await database.transaction((trx) => trx.deleteFrom('issuer_payloads').where('expires_at', '<=', clock.now()).execute());
    },
  };
}
