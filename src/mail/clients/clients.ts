import { sql } from 'kysely';
import type { Clock } from '../../kernel/clock.ts';
import type { Vault } from '../../kernel/crypto/vault.ts';
import type { Database, Reader, Transaction } from '../../kernel/database/database.ts';
import { newId } from '../../kernel/ids.ts';
import { notFound, Problem } from '../../kernel/problem.ts';
import { checkChange } from './client-checks.ts';
import { type Client, clientFromRow, settingsColumns, textList } from './client-rows.ts';
import {
  addClientSecret,
  type ClientCredentials,
  MAX_VALID_SECRETS,
  readSecret,
  secretColumns,
} from './client-secrets.ts';
import type { ClientSecrets, ClientSettings, ContactConfirmation, SmtpAccount } from './client-settings.ts';

export type { Client } from './client-rows.ts';
export type { ClientCredentials } from './client-secrets.ts';

/** The records of the applications that may send. */
export interface Clients {
  /** @throws Problem 409 `name_taken`, 400 for settings refused by `checkChange` */
  add(
    trx: Transaction,
    settings: ClientSettings & ContactConfirmation,
    secrets: ClientSecrets,
  ): Promise<ClientCredentials>;
  /** @throws Problem 404, 409 `name_taken`, 400 for settings refused by `checkChange` */
  change(
    trx: Transaction,
    id: string,
    settings: Partial<ClientSettings> & ContactConfirmation,
    secrets: ClientSecrets,
  ): Promise<Client>;
  /** @throws Problem 404 */
  remove(trx: Transaction, id: string): Promise<void>;
  /** Creates a new secret; the newest of the earlier ones stays valid. @throws Problem 404 */
  rotate(trx: Transaction, id: string): Promise<ClientCredentials>;
  list(): Promise<Client[]>;
  find(id: string): Promise<Client | null>;
  findByName(name: string): Promise<Client | null>;
  /** Returns the client with the hashes of its valid secrets, newest first. */
  findWithHashes(id: string): Promise<{ client: Client; hashes: string[] } | null>;
  /** Reports whether an enabled client lists `origin`. */
  hasOrigin(origin: string): Promise<boolean>;
  /** Returns the decrypted secret, as do the two below; null = none. */
  telegramToken(id: string): Promise<string | null>;
  smtp(id: string): Promise<SmtpAccount | null>;
  challengeSecret(id: string): Promise<string | null>;
}

interface ClientsDeps {
  database: Database;
  vault: Vault;
  clock: Clock;
}

export function createClients(deps: ClientsDeps): Clients {
  const { database, vault, clock } = deps;
  return {
    add: (trx, settings, secrets) => addClient(trx, deps, settings, secrets),
    change: (trx, id, settings, secrets) => changeClient(trx, deps, id, { settings, secrets }),
    remove: removeClient,
    async rotate(trx, id) {
      await lockClient(trx, database, id);
      return await addClientSecret(trx, clock, id);
    },
    async list() {
      const rows = await database.read.selectFrom('mail_clients').selectAll().orderBy('name').execute();
      return rows.map(clientFromRow);
    },
    find: (id) => findClient(database.read, 'id', id),
    findByName: (name) => findClient(database.read, 'name', name),
    findWithHashes: (id) => findWithHashes(database.read, id),
    hasOrigin: (origin) => hasOrigin(database, origin),
    telegramToken: (id) => readSecret(database.read, vault, id, 'telegram_token'),
    challengeSecret: (id) => readSecret(database.read, vault, id, 'challenge_secret'),
    async smtp(id) {
      const json = await readSecret(database.read, vault, id, 'smtp');
      return json === null ? null : (JSON.parse(json) as SmtpAccount);
    },
  };
}

async function addClient(
  trx: Transaction,
  { vault, clock }: ClientsDeps,
  settings: ClientSettings & ContactConfirmation,
  secrets: ClientSecrets,
): Promise<ClientCredentials> {
  checkChange(null, settings, settings);
  await requireFreeName(trx, settings.name, null);
  const id = newId();
  const { telegram_token = null, smtp = null, challenge_secret = null } = secretColumns(vault, id, secrets);
  await trx
    .insertInto('mail_clients')
    .values({
      id,
      ...settingsColumns(settings),
      telegram_token,
      smtp,
      challenge_secret,
      date_created: clock.now(),
    })
    .execute();
  return await addClientSecret(trx, clock, id);
}

interface ClientChange {
  settings: Partial<ClientSettings> & ContactConfirmation;
  secrets: ClientSecrets;
}

async function changeClient(
  trx: Transaction,
  { database, vault }: ClientsDeps,
  id: string,
  { settings, secrets }: ClientChange,
): Promise<Client> {
  const before = await lockClient(trx, database, id);
  const after = { ...before, ...settings };
  checkChange(before, settings, after);
  await requireFreeName(trx, after.name, id);
  const row = await trx
    .updateTable('mail_clients')
    .set({ ...settingsColumns(after), ...secretColumns(vault, id, secrets) })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow(notFound);
  return clientFromRow(row);
}

/**
 * Locks a client until the end of the transaction and reads it, so that concurrent changes do not replace each other's
 * settings or secrets. @throws Problem 404
 */
async function lockClient(trx: Transaction, database: Database, id: string): Promise<Client> {
  await database.lock(trx, id, trx.selectFrom('mail_clients').select('id').where('id', '=', id));
  const client = await findClient(trx, 'id', id);
  if (!client) throw notFound();
  return client;
}

async function removeClient(trx: Transaction, id: string): Promise<void> {
  const { numDeletedRows } = await trx.deleteFrom('mail_clients').where('id', '=', id).executeTakeFirst();
  if (numDeletedRows === 0n) throw notFound();
}

async function findClient(reader: Reader, column: 'id' | 'name', value: string): Promise<Client | null> {
  const row = await reader
    .selectFrom('mail_clients')
    .selectAll()
    .where(column, '=', value)
    .executeTakeFirst();
  return row ? clientFromRow(row) : null;
}

async function findWithHashes(
  reader: Reader,
  id: string,
): Promise<{ client: Client; hashes: string[] } | null> {
  const rows = await reader
    .selectFrom('mail_clients')
    .leftJoin('mail_client_secrets', 'mail_client_secrets.client_id', 'mail_clients.id')
    .selectAll('mail_clients')
    .select('mail_client_secrets.hash')
    .where('mail_clients.id', '=', id)
    .orderBy('mail_client_secrets.date_created', 'desc')
    .orderBy('mail_client_secrets.id', 'desc')
    .limit(MAX_VALID_SECRETS)
    .execute();
  return rows[0] ? { client: clientFromRow(rows[0]), hashes: rows.flatMap(({ hash }) => hash ?? []) } : null;
}

async function hasOrigin({ read, kind }: Database, origin: string): Promise<boolean> {
  const position = kind === 'sqlite' ? sql`instr` : sql`strpos`;
  // Anyone may ask, and parsing the lists of all clients takes long.
  const rows = await read
    .selectFrom('mail_clients')
    .select('origins')
    .where('enabled', '=', 1)
    .where(sql<boolean>`${position}(origins, ${JSON.stringify(origin)}) > 0`)
    .execute();
  return rows.some((row) => textList(row.origins).includes(origin));
}

async function requireFreeName(trx: Transaction, name: string, except: string | null): Promise<void> {
  const taken = await trx.selectFrom('mail_clients').select('id').where('name', '=', name).executeTakeFirst();
  if (taken && taken.id !== except)
    throw new Problem('name_taken', 'A mail client with this name already exists.');
}
