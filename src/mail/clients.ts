import type { Selectable } from 'kysely';
import type { Clock } from '../kernel/clock.ts';
import { hashToken, type Vault } from '../kernel/crypto/vault.ts';
import type { Database, Reader, Transaction } from '../kernel/database/database.ts';
import { notFound, Problem } from '../kernel/http/problem.ts';
import { newId, newToken } from '../kernel/ids.ts';
import type { MailClientsTable } from './tables.ts';

export const MAIL_SERVICES = ['email', 'telegram', 'contact'] as const;
export type MailService = (typeof MAIL_SERVICES)[number];

/** `tls`: from the first byte; `starttls`: required; `opportunistic`: when offered; `none`: never. */
export type SmtpSecurity = 'tls' | 'starttls' | 'opportunistic' | 'none';

/** An SMTP server with what signs in there. */
export interface SmtpAccount {
  host: string;
  port: number;
  security: SmtpSecurity;
  credentials: { username: string; password: string } | null;
}

/** What an administrator says of a client. */
export interface ClientSettings {
  name: string;
  services: MailService[];
  /** The default From, as an address or `Name <address>`. */
  sender: string | null;
  /** Addresses and `@domain`s that may stand in From as well. */
  sendersAllowed: string[];
  /** Addresses and `@domain`s; empty = anyone may be written to. */
  recipientsAllowed: string[];
  contactTo: string[];
  contactAcknowledges: boolean;
  challengeUrl: string | null;
  origins: string[];
  limits: { second: number | null; hour: number | null; day: number | null };
  enabled: boolean;
}

/** The secrets of a client's settings; a missing one stays as it is, null takes it away. */
export interface ClientSecrets {
  telegramToken?: string | null;
  smtp?: SmtpAccount | null;
  challengeSecret?: string | null;
}

export interface Client extends ClientSettings {
  id: string;
  /** Says that they are there; the secrets themselves are asked for by those who use them. */
  has: { telegramToken: boolean; smtp: boolean; challengeSecret: boolean };
  dateCreated: number;
}

/** What an application signs in with; the secret is known only now. */
export interface ClientCredentials {
  clientId: string;
  clientSecret: string;
}

export interface Clients {
  /** @throws Problem 409 `name_taken` */
  add(trx: Transaction, settings: ClientSettings, secrets: ClientSecrets): Promise<ClientCredentials>;
  /** @throws Problem 404, 409 `name_taken` */
  change(trx: Transaction, id: string, settings: Partial<ClientSettings>, secrets: ClientSecrets): Promise<Client>;
  /** @throws Problem 404 */
  remove(trx: Transaction, id: string): Promise<void>;
  /** Makes a new secret; the newest of the earlier ones stays valid beside it. @throws Problem 404 */
  rotate(trx: Transaction, id: string): Promise<ClientCredentials>;
  /** By name. */
  list(): Promise<Client[]>;
  find(id: string, reader?: Reader): Promise<Client | null>;
  findByName(name: string): Promise<Client | null>;
  /** The client with the hashes of its live secrets, for those who judge credentials. */
  findWithHashes(id: string): Promise<{ client: Client; hashes: string[] } | null>;
  /** True when an enabled client has `origin` among its own. */
  hasOrigin(origin: string): Promise<boolean>;
  telegramToken(id: string): Promise<string | null>;
  smtp(id: string): Promise<SmtpAccount | null>;
  challengeSecret(id: string): Promise<string | null>;
}

const TELEGRAM_TOKEN = 'mail client telegram token';
const SMTP = 'mail client smtp';
const CHALLENGE = 'mail client challenge secret';
const LIVE_SECRETS = 2;

/** The records of the applications that may send. */
export function createClients({ database, vault, clock }: { database: Database; vault: Vault; clock: Clock }): Clients {
  async function addSecret(trx: Transaction, clientId: string): Promise<ClientCredentials> {
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

  async function find(id: string, reader: Reader = database.read): Promise<Client | null> {
    const row = await reader.selectFrom('mail_clients').selectAll().where('id', '=', id).executeTakeFirst();
    return row ? fromRow(row) : null;
  }

  async function refuseTakenName(trx: Transaction, name: string, except: string | null): Promise<void> {
    const taken = await trx.selectFrom('mail_clients').select('id').where('name', '=', name).executeTakeFirst();
    if (taken && taken.id !== except) throw new Problem('name_taken', 'There is a mail client with this name.');
  }

  async function sealed(id: string, column: 'telegram_token' | 'smtp' | 'challenge_secret', purpose: string): Promise<string | null> {
    const row = await database.read.selectFrom('mail_clients').select(column).where('id', '=', id).executeTakeFirst();
    const value = row?.[column] ?? null;
    return value === null ? null : vault.open(purpose, value);
  }

  const seal = (purpose: string, value: string | null | undefined) =>
    value === undefined ? undefined : value === null ? null : vault.seal(purpose, value);
  const secretColumns = ({ telegramToken, smtp, challengeSecret }: ClientSecrets) => ({
    telegram_token: seal(TELEGRAM_TOKEN, telegramToken),
    smtp: seal(SMTP, smtp && JSON.stringify(smtp)),
    challenge_secret: seal(CHALLENGE, challengeSecret),
  });

  return {
    async add(trx, settings, secrets) {
      await refuseTakenName(trx, settings.name, null);
      const id = newId();
      const { telegram_token = null, smtp = null, challenge_secret = null } = secretColumns(secrets);
      await trx
        .insertInto('mail_clients')
        .values({ id, ...columns(settings), telegram_token, smtp, challenge_secret, date_created: clock.now() })
        .execute();
      return await addSecret(trx, id);
    },

    async change(trx, id, settings, secrets) {
      const before = await find(id, trx);
      if (!before) throw notFound();
      const after = { ...before, ...settings };
      await refuseTakenName(trx, after.name, id);
      await trx
        .updateTable('mail_clients')
        .set({ ...columns(after), ...secretColumns(secrets) })
        .where('id', '=', id)
        .execute();
      const client = await find(id, trx);
      if (!client) throw notFound();
      return client;
    },

    async remove(trx, id) {
      const { numDeletedRows } = await trx.deleteFrom('mail_clients').where('id', '=', id).executeTakeFirst();
      if (numDeletedRows === 0n) throw notFound();
    },

    async rotate(trx, id) {
      if (!(await find(id, trx))) throw notFound();
      return await addSecret(trx, id);
    },

    async list() {
      const rows = await database.read.selectFrom('mail_clients').selectAll().orderBy('name').execute();
      return rows.map(fromRow);
    },

    find,

    async findByName(name) {
      const row = await database.read.selectFrom('mail_clients').selectAll().where('name', '=', name).executeTakeFirst();
      return row ? fromRow(row) : null;
    },

    async findWithHashes(id) {
      const rows = await database.read
        .selectFrom('mail_clients')
        .leftJoin('mail_client_secrets', 'mail_client_secrets.client_id', 'mail_clients.id')
        .selectAll('mail_clients')
        .select('mail_client_secrets.hash')
        .where('mail_clients.id', '=', id)
        .execute();
      return rows[0] ? { client: fromRow(rows[0]), hashes: rows.flatMap(({ hash }) => hash ?? []) } : null;
    },

    async hasOrigin(origin) {
      const rows = await database.read
        .selectFrom('mail_clients')
        .select('origins')
        .where('enabled', '=', 1)
        .where('origins', '!=', '[]')
        .execute();
      return rows.some((row) => list(row.origins).includes(origin));
    },

    telegramToken: (id) => sealed(id, 'telegram_token', TELEGRAM_TOKEN),
    challengeSecret: (id) => sealed(id, 'challenge_secret', CHALLENGE),
    async smtp(id) {
      const json = await sealed(id, 'smtp', SMTP);
      return json === null ? null : (JSON.parse(json) as SmtpAccount);
    },
  };
}

function columns(settings: ClientSettings) {
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
    limit_second: settings.limits.second,
    limit_hour: settings.limits.hour,
    limit_day: settings.limits.day,
    enabled: settings.enabled ? 1 : 0,
  };
}

function fromRow(row: Selectable<MailClientsTable>): Client {
  return {
    id: row.id,
    name: row.name,
    services: list(row.services) as MailService[],
    sender: row.sender,
    sendersAllowed: list(row.senders_allowed),
    recipientsAllowed: list(row.recipients_allowed),
    contactTo: list(row.contact_to),
    contactAcknowledges: row.contact_acknowledges === 1,
    challengeUrl: row.challenge_url,
    origins: list(row.origins),
    limits: { second: row.limit_second, hour: row.limit_hour, day: row.limit_day },
    enabled: row.enabled === 1,
    has: { telegramToken: row.telegram_token !== null, smtp: row.smtp !== null, challengeSecret: row.challenge_secret !== null },
    dateCreated: row.date_created,
  };
}

function list(json: string): string[] {
  return JSON.parse(json) as string[];
}
