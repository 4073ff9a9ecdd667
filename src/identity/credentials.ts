import { sql } from 'kysely';
import { isUnexpired } from '../kernel/access-tokens.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Database } from '../kernel/database/database.ts';
import { jsonTable } from '../kernel/database/json-table.ts';
import type { AccountRole } from './caller.ts';

interface CredentialsDeps {
  database: Database;
  clock: Clock;
  /** The current issuer: accounts of another one have no access. */
  issuer: string;
}

/** Sessions and personal access tokens by id, which is not a secret. */
export interface Credentials {
  /** Returns, by id, the role of the account of each one that is valid now. */
  rolesOf(ids: readonly string[]): Promise<ReadonlyMap<string, AccountRole>>;
}

export function createCredentials({ database, clock, issuer }: CredentialsDeps): Credentials {
  return {
    async rolesOf(ids) {
      const wanted = jsonTable(
        database.kind,
        'wanted',
        { id: 'text' },
        ids.map((id) => ({ id })),
      );
      const now = clock.now();
      const { rows } = await sql<{ id: string; role: AccountRole }>`
        select sessions.id, accounts.role
        from ${wanted}
          join sessions on sessions.id = wanted.id and sessions.expires_at > ${now}
          join accounts on accounts.id = sessions.account_id
        where accounts.disabled = 0 and accounts.issuer = ${issuer}
        union all
        select tokens.id, accounts.role
        from ${wanted}
          join tokens on tokens.id = wanted.id and ${isUnexpired('tokens', now)}
          join accounts on accounts.id = tokens.account_id
        where accounts.disabled = 0 and accounts.issuer = ${issuer}`.execute(database.read);
      return new Map(rows.map(({ id, role }) => [id, role]));
    },
  };
}
