import { type Generated, sql } from 'kysely';
import type { Migration } from '../kernel/database/migrate.ts';
import type { Language } from '../kernel/language.ts';
import type { AccountRole, TokenScope } from './caller.ts';

declare module '../kernel/database/database.ts' {
  interface Tables {
    accounts: AccountsTable;
    credentials: CredentialsTable;
    sessions: SessionsTable;
    tokens: TokensTable;
    issuer_payloads: IssuerPayloadsTable;
  }
}

export interface AccountsTable {
  id: string;
  /** `local`, or the URL of the external issuer. */
  issuer: string;
  /** The `sub` claim of that issuer; for local accounts the id. Null until an invited person signs in. */
  subject: string | null;
  /** Lower case. */
  email: string;
  name: string;
  role: AccountRole;
  disabled: number;
  date_created: number;
  /** Null = never. */
  date_signed_in: number | null;
  /** Language of pages and e-mails; null = the preference of each browser. */
  language: Generated<Language | null>;
  /** Language of the browser that used the app last; null = unknown. Not kept up to date while `language` is set. */
  browser_language: Generated<Language | null>;
}

/** Passwords of local accounts. */
interface CredentialsTable {
  account_id: string;
  /** argon2id, in the PHC string format. */
  password_hash: string;
  date_changed: number;
}

export interface SessionsTable {
  id: string;
  /** SHA-256 of the cookie's value. */
  token_hash: string;
  account_id: string;
  date_created: number;
  /** Rounded to the minute. */
  date_used: number;
  expires_at: number;
  user_agent: string;
  /** Sealed ID token of the external issuer, required for its logout. */
  id_token: string | null;
  /** Id of the session at the first address that the sign-in used; null = none. */
  sign_in_id: string | null;
}

/** Personal access tokens. */
interface TokensTable {
  id: string;
  account_id: string;
  name: string;
  token_hash: string;
  scope: TokenScope;
  date_created: number;
  /** Rounded to the minute; null = never. */
  date_used: number | null;
  /** Null = never. */
  expires_at: number | null;
}

/**
 * Payloads of oidc-provider. Ids are hashed and payloads sealed, since both contain codes and session ids.
 */
export interface IssuerPayloadsTable {
  model: string;
  id: string;
  payload: string;
  grant_id: string | null;
  user_code: string | null;
  uid: string | null;
  /** Time at which a one-time code was used. */
  consumed_at: number | null;
  expires_at: number | null;
}

export const identityMigrations: readonly Migration[] = [
  {
    name: '0002_identity',
    kind: 'expand',
    async up(database) {
      const { schema } = database;
      await schema
        .createTable('accounts')
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('issuer', 'text', (c) => c.notNull())
        .addColumn('subject', 'text')
        .addColumn('email', 'text', (c) => c.notNull())
        .addColumn('name', 'text', (c) => c.notNull())
        .addColumn('role', 'text', (c) => c.notNull())
        .addColumn('disabled', 'integer', (c) => c.notNull())
        .addColumn('date_created', 'bigint', (c) => c.notNull())
        .addColumn('date_signed_in', 'bigint')
        .addUniqueConstraint('accounts_person', ['issuer', 'subject'])
        .execute();
      // At an external issuer, an address can change its owner. A local address has at most one account, and each
      // address at most one invitation.
      await sql`create unique index accounts_local_email on accounts (email) where issuer = 'local'`.execute(
        database,
      );
      await sql`create unique index accounts_invited_email on accounts (issuer, email) where subject is null`.execute(
        database,
      );
      await schema.createIndex('accounts_email').on('accounts').column('email').execute();

      await schema
        .createTable('credentials')
        .addColumn('account_id', 'text', (c) => c.primaryKey().references('accounts.id').onDelete('cascade'))
        .addColumn('password_hash', 'text', (c) => c.notNull())
        .addColumn('date_changed', 'bigint', (c) => c.notNull())
        .execute();

      await schema
        .createTable('sessions')
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('token_hash', 'text', (c) => c.notNull().unique())
        .addColumn('account_id', 'text', (c) => c.notNull().references('accounts.id').onDelete('cascade'))
        .addColumn('date_created', 'bigint', (c) => c.notNull())
        .addColumn('date_used', 'bigint', (c) => c.notNull())
        .addColumn('expires_at', 'bigint', (c) => c.notNull())
        .addColumn('user_agent', 'text', (c) => c.notNull())
        .addColumn('id_token', 'text')
        .execute();
      await schema.createIndex('sessions_account').on('sessions').column('account_id').execute();
      await schema.createIndex('sessions_expiry').on('sessions').column('expires_at').execute();

      await schema
        .createTable('tokens')
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('account_id', 'text', (c) => c.notNull().references('accounts.id').onDelete('cascade'))
        .addColumn('name', 'text', (c) => c.notNull())
        .addColumn('token_hash', 'text', (c) => c.notNull().unique())
        .addColumn('scope', 'text', (c) => c.notNull())
        .addColumn('date_created', 'bigint', (c) => c.notNull())
        .addColumn('date_used', 'bigint')
        .addColumn('expires_at', 'bigint')
        .execute();
      await schema.createIndex('tokens_account').on('tokens').column('account_id').execute();

      await schema
        .createTable('issuer_payloads')
        .addColumn('model', 'text', (c) => c.notNull())
        .addColumn('id', 'text', (c) => c.notNull())
        .addColumn('payload', 'text', (c) => c.notNull())
        .addColumn('grant_id', 'text')
        .addColumn('user_code', 'text')
        .addColumn('uid', 'text')
        .addColumn('consumed_at', 'bigint')
        .addColumn('expires_at', 'bigint')
        .addPrimaryKeyConstraint('issuer_payloads_key', ['model', 'id'])
        .execute();
      await schema.createIndex('issuer_payloads_grant').on('issuer_payloads').column('grant_id').execute();
      await schema.createIndex('issuer_payloads_uid').on('issuer_payloads').column('uid').execute();
      await schema.createIndex('issuer_payloads_expiry').on('issuer_payloads').column('expires_at').execute();
    },
  },
  {
    name: '0018_sign_ins',
    kind: 'expand',
    up: [
      'alter table sessions add column sign_in_id text',
      'create index sessions_sign_in on sessions (sign_in_id)',
    ],
  },
  {
    name: '0030_account_language',
    kind: 'expand',
    up: ['alter table accounts add column language text'],
  },
  {
    name: '0040_browser_language',
    kind: 'expand',
    up: ['alter table accounts add column browser_language text'],
  },
];
