import type { Migration } from '../kernel/database/migrate.ts';
import type { Language } from '../kernel/language.ts';

declare module '../kernel/database/database.ts' {
  interface Tables {
    mail_clients: MailClientsTable;
    mail_client_secrets: MailClientSecretsTable;
    mail_contents: MailContentsTable;
    mail_content_parts: MailContentPartsTable;
    mail_templates: MailTemplatesTable;
    mail_template_versions: MailTemplateVersionsTable;
    mail_opens: MailOpensTable;
    mail_usage: MailUsageTable;
    mail_spam: MailSpamTable;
    mail_telegram_moves: MailTelegramMovesTable;
  }
}

/** An application that may send; its `id` is the ClientId. */
export interface MailClientsTable {
  id: string;
  name: string;
  /** JSON array of `email`, `telegram`, `contact`. */
  services: string;
  /** The default From; null = the server's. */
  sender: string | null;
  /** JSON array of further addresses and `@domain`s allowed in From. */
  senders_allowed: string;
  /** JSON array of addresses and `@domain`s; empty = any recipient. */
  recipients_allowed: string;
  /** JSON array of addresses that receive the contact form. */
  contact_to: string;
  /** Language of the e-mails to `contact_to`. */
  contact_language: Language;
  /** 1 = visitors receive an e-mail that confirms their message. */
  contact_acknowledges: number;
  /** Service that verifies the challenges of visitors (Turnstile, hCaptcha …); null = none is required. */
  challenge_url: string | null;
  /** Sealed. */
  challenge_secret: string | null;
  /** Sealed. */
  telegram_token: string | null;
  /** JSON array of the origins of pages that may call. */
  origins: string;
  /** Page that the browser of a visitor opens after the form was sent; null = one of this server. */
  redirect_url: string | null;
  /** Sealed JSON: the SMTP server of this client; null = the server's own. */
  smtp: string | null;
  limit_second: number | null;
  limit_hour: number | null;
  limit_day: number | null;
  enabled: number;
  date_created: number;
}

/** At most two valid secrets per client, so that one can be replaced while the other still works. */
export interface MailClientSecretsTable {
  id: string;
  client_id: string;
  /** SHA-256, base64url. */
  hash: string;
  date_created: number;
}

/** The bytes of a composed e-mail, apart from its outbox row, which is read more often and may be copied. */
export interface MailContentsTable {
  id: string;
  /** Empty = the bytes are in `mail_content_parts`. */
  mime: Uint8Array;
  keep_until: number;
}

/** The bytes of a large e-mail. */
export interface MailContentPartsTable {
  content_id: string;
  /** From 0. */
  part: number;
  bytes: Uint8Array;
}

export interface MailTemplatesTable {
  id: string;
  /** Name in lower case, since names are case-insensitive. */
  name: string;
  /** The newest version, which is the one in use. */
  version: number;
  date_created: number;
  date_modified: number;
}

export interface MailTemplateVersionsTable {
  template_id: string;
  version: number;
  subject: string;
  /** HTML or MJML with Liquid; null = text only. */
  html: string | null;
  /** Text with Liquid; null = derived from the HTML. */
  text: string | null;
  /** JSON object for the preview. */
  sample: string;
  date_created: number;
}

export interface MailOpensTable {
  id: string;
  content_id: string;
  date_opened: number;
  country: string | null;
  region: string | null;
  /** 1 when a mail proxy or a prefetcher fetched the pixel, so the e-mail may be unread. */
  automatic: number;
}

/** Number of messages of a client that were attempted, by second, hour and day. */
export interface MailUsageTable {
  client_id: string;
  /** `s`, `h` or `d`, and the number of the second, hour or day since the epoch. */
  period: string;
  count: number;
  ends_at: number;
}

/** Contact forms that look like spam: kept, not sent. */
export interface MailSpamTable {
  id: string;
  client_id: string;
  reason: string;
  /** JSON of the visitor's input. */
  form: string;
  date_created: number;
}

/** Groups that became supergroups, which have another id (https://core.telegram.org/bots/api#responseparameters). */
export interface MailTelegramMovesTable {
  chat_id: string;
  new_chat_id: string;
}

const STATEMENTS = [
  `create table mail_clients (
    id text primary key, name text not null unique, services text not null, sender text,
    senders_allowed text not null, recipients_allowed text not null, contact_to text not null,
    contact_acknowledges integer not null, challenge_url text, challenge_secret text, telegram_token text,
    origins text not null, smtp text, limit_second integer, limit_hour integer, limit_day integer,
    enabled integer not null, date_created bigint not null)`,
  `create table mail_client_secrets (
    id text primary key, client_id text not null references mail_clients (id) on delete cascade,
    hash text not null, date_created bigint not null)`,
  'create index mail_client_secrets_client on mail_client_secrets (client_id)',
  // SQLite accepts “bytea” too: it stores bytes as bytes in a column of any declared type.
  'create table mail_contents (id text primary key, mime bytea not null, keep_until bigint not null)',
  'create index mail_contents_age on mail_contents (keep_until)',
  `create table mail_templates (
    id text primary key, name text not null unique, version integer not null,
    date_created bigint not null, date_modified bigint not null)`,
  `create table mail_template_versions (
    template_id text not null references mail_templates (id) on delete cascade, version integer not null,
    subject text not null, html text, text text, sample text not null, date_created bigint not null,
    constraint mail_template_versions_key primary key (template_id, version))`,
  `create table mail_opens (
    id text primary key, content_id text not null, date_opened bigint not null,
    country text, region text, automatic integer not null)`,
  'create index mail_opens_content on mail_opens (content_id)',
  `create table mail_usage (
    client_id text not null, period text not null, count integer not null, ends_at bigint not null,
    constraint mail_usage_key primary key (client_id, period))`,
  `create table mail_spam (
    id text primary key, client_id text not null, reason text not null, form text not null,
    date_created bigint not null)`,
  'create table mail_telegram_moves (chat_id text primary key, new_chat_id text not null)',
];

export const mailMigrations: readonly Migration[] = [
  {
    name: '0005_mail',
    kind: 'expand',
    up: STATEMENTS,
  },
  {
    name: '0016_redirect_url',
    kind: 'expand',
    up: (schema) => schema.schema.alterTable('mail_clients').addColumn('redirect_url', 'text').execute(),
  },
  {
    name: '0039_contact_language',
    kind: 'expand',
    up: (schema) =>
      schema.schema
        .alterTable('mail_clients')
        // The default also applies to clients that older programs create.
        .addColumn('contact_language', 'text', (column) => column.notNull().defaultTo('en'))
        .execute(),
  },
  {
    name: '0047_mail_content_parts',
    kind: 'expand',
    up: [
      `create table mail_content_parts (
        content_id text not null references mail_contents (id) on delete cascade, part integer not null,
        bytes bytea not null, constraint mail_content_parts_key primary key (content_id, part))`,
    ],
  },
  {
    name: '0048_mail_contents_uncompressed',
    kind: 'expand',
    only: 'postgres',
    // A piece of a compressed value is found by decompressing all before it.
    up: ['alter table mail_contents alter column mime set storage external'],
  },
];
