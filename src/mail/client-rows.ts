import type { Selectable } from 'kysely';
import type { Clock } from '../kernel/clock.ts';
import { hashToken, type Vault } from '../kernel/crypto/vault.ts';
import type { Reader, Transaction } from '../kernel/database/database.ts';
import { newId, newToken } from '../kernel/ids.ts';
import type { ClientSecrets, ClientSettings, MailService } from './client-settings.ts';
import type { MailClientsTable } from './tables.ts';

export interface Client extends ClientSettings {
  id: string;
  /** Which secrets the client has; `Clients` returns the secrets themselves. */
  has: { telegramToken: boolean; smtp: boolean; challengeSecret: boolean };
  /** Ms since the epoch. */
  dateCreated: number;
}

export function settingsColumns(settings: ClientSettings) {
  return {
    name: settings.name,
    services: JSON.stringify(settings.services),
    sender: settings.sender,
    senders_allowed: JSON.stringify(settings.sendersAllowed),
    recipients_allowed: JSON.stringify(settings.recipientsAllowed),
    contact_to: JSON.stringify(settings.contactTo),
    contact_acknowledges: settings.contactAcknowledges ? 1 : 0,
    challenge_url: settings.challengeUrl,
    origins: JSON.stringify(settings.origins),
    redirect_url: settings.redirectUrl,
    limit_second: settings.limits.second,
    limit_hour: settings.limits.hour,
    limit_day: settings.limits.day,
    enabled: settings.enabled ? 1 : 0,
  };
}

export function clientFromRow(row: Selectable<MailClientsTable>): Client {
  return {
    id: row.id,
    name: row.name,
    services: textList(row.services) as MailService[],
    sender: row.sender,
    sendersAllowed: textList(row.senders_allowed),
    recipientsAllowed: textList(row.recipients_allowed),
    contactTo: textList(row.contact_to),
    contactAcknowledges: row.contact_acknowledges === 1,
    challengeUrl: row.challenge_url,
    origins: textList(row.origins),
    redirectUrl: row.redirect_url,
    limits: { second: row.limit_second, hour: row.limit_hour, day: row.limit_day },
    enabled: row.enabled === 1,
    has: {
      telegramToken: row.telegram_token !== null,
      smtp: row.smtp !== null,
      challengeSecret: row.challenge_secret !== null,
    },
    dateCreated: row.date_created,
  };
}

export function textList(json: string): string[] {
  return JSON.parse(json) as string[];
}

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

const LIVE_SECRETS = 2;

/** Adds a ClientSecret and deletes the oldest ones, so that at most `LIVE_SECRETS` are valid. */
export async function addClientSecret(
  trx: Transaction,
  clock: Clock,
  clientId: string,
): Promise<ClientCredentials> {
  const clientSecret = newToken();
  const older = await trx
    .selectFrom('mail_client_secrets')
    .select('id')
    .where('client_id', '=', clientId)
    .orderBy('date_created', 'desc')
    .orderBy('id', 'desc')
    .execute();
  const dropped = older.slice(LIVE_SECRETS - 1).map(({ id }) => id);
  if (dropped.length > 0) await trx.deleteFrom('mail_client_secrets').where('id', 'in', dropped).execute();
  await trx
    .insertInto('mail_client_secrets')
    .values({ id: newId(), client_id: clientId, hash: hashToken(clientSecret), date_created: clock.now() })
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
