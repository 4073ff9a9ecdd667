import type { Clock } from '../../kernel/clock.ts';
import { digestOf } from '../../kernel/crypto/digest.ts';
import type { Vault } from '../../kernel/crypto/vault.ts';
import type { Reader, Transaction } from '../../kernel/database/database.ts';
import { newId, newToken } from '../../kernel/ids.ts';
import type { ClientSecrets } from './client-settings.ts';

/** The credentials of an application; the secret is readable only in this result. */
export interface ClientCredentials {
  clientId: string;
  clientSecret: string;
}

/** The sealed columns of `mail_clients`, and the purpose of each. */
export const CLIENT_SECRETS = {
  telegram_token: 'mail client telegram token',
  smtp: 'mail client smtp',
  challenge_secret: 'mail client challenge secret',
} as const;
type SecretColumn = keyof typeof CLIENT_SECRETS;

export const MAX_VALID_SECRETS = 2;

/**
 * Adds a ClientSecret and deletes the oldest ones, so that at most `MAX_VALID_SECRETS` are valid. Requires the lock of
 * the client, unless the transaction creates it.
 */
export async function addClientSecret(
  trx: Transaction,
  clock: Clock,
  clientId: string,
): Promise<ClientCredentials> {
  const clientSecret = newToken();
  const older = await trx
    .selectFrom('mail_client_secrets')
    .select(['id', 'date_created'])
    .where('client_id', '=', clientId)
    .orderBy('date_created', 'desc')
    .orderBy('id', 'desc')
    .execute();
  const dropped = older.slice(MAX_VALID_SECRETS - 1).map(({ id }) => id);
  if (dropped.length > 0) await trx.deleteFrom('mail_client_secrets').where('id', 'in', dropped).execute();
  // Secrets are ordered by their times, which the nodes may create in one millisecond, or by clocks that differ.
  const createdAt = Math.max(clock.now(), (older[0]?.date_created ?? 0) + 1);
  await trx
    .insertInto('mail_client_secrets')
    .values({ id: newId(), client_id: clientId, hash: digestOf(clientSecret), date_created: createdAt })
    .execute();
  return { clientId, clientSecret };
}

/** Returns the sealed columns of a client's `secrets`; undefined = unchanged. */
export function secretColumns(
  vault: Vault,
  id: string,
  { telegramToken, smtp, challengeSecret }: ClientSecrets,
) {
  const seal = (column: SecretColumn, value: string | null | undefined) =>
    typeof value === 'string' ? vault.seal(CLIENT_SECRETS[column], id, value) : value;
  return {
    telegram_token: seal('telegram_token', telegramToken),
    smtp: seal('smtp', smtp && JSON.stringify(smtp)),
    challenge_secret: seal('challenge_secret', challengeSecret),
  };
}

/** Returns a secret of a client; null = it has none, or there is no such client. */
export async function readSecret(
  reader: Reader,
  vault: Vault,
  id: string,
  column: SecretColumn,
): Promise<string | null> {
  const row = await reader.selectFrom('mail_clients').select(column).where('id', '=', id).executeTakeFirst();
  const value = row?.[column] ?? null;
  return value === null ? null : vault.open(CLIENT_SECRETS[column], id, value);
}
