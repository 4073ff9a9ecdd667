import type { Migration } from '../kernel/database/migrate.ts';

declare module '../kernel/database/database.ts' {
  interface Tables {
    mail_clients: MailClientsTable;
    mail_client_secrets: MailClientSecretsTable;
    mail_contents: MailContentsTable;
    mail_templates: MailTemplatesTable;
    mail_template_versions: MailTemplateVersionsTable;
    mail_opens: MailOpensTable;
    mail_usage: MailUsageTable;
    mail_spam: MailSpamTable;
    mail_telegram_moves: MailTelegramMovesTable;
  }
}

/** An application that may send: its `id` is the ClientId of the contract. */
export interface MailClientsTable {
  id: string;
  name: string;
  /** JSON array of `email`, `telegram`, `contact`. */
  services: string;
  /** The default From; null = the server's. */
  sender: string | null;
  /** JSON array of addresses and `@domain`s that may stand in From as well. */
  senders_allowed: string;
  /** JSON array of addresses and `@domain`s; empty = anyone may be written to. */
  recipients_allowed: string;
  /** JSON array of addresses that receive the contact form. */
  contact_to: string;
  /** 1 = visitors get a mail that their message arrived. */
  contact_acknowledges: number;
  /** Where a visitor's challenge is verified (Turnstile, hCaptcha …); null = none is asked for. */
  challenge_url: string | null;
  /** Sealed. */
  challenge_secret: string | null;
  /** Sealed. */
  telegram_token: string | null;
  /** JSON array of the origins whose pages may call. */
  origins: string;
  /** Sealed JSON: the SMTP server of this client; null = the server's own. */
  smtp: string | null;
  limit_second: number | null;
  limit_hour: number | null;
  limit_day: number | null;
  enabled: number;
  date_created: number;
}

/** At most two live secrets a client, so that one can be replaced while the other still works. */
export interface MailClientSecretsTable {
  id: string;
  client_id: string;
  /** SHA-256, base64url. */
  hash: string;
  date_created: number;
}

/** The bytes of a composed mail, apart from its outbox row, which is read far more often, and which may be sent again as another. */
export interface MailContentsTable {
  id: string;
  mime: Uint8Array;
  keep_until: number;
}

export interface MailTemplatesTable {
  id: string;
  /** Lower case, so that names are compared without regard to case. */
  name: string;
  /** The newest version, the one that is used. */
  version: number;
  date_created: number;
  date_modified: number;
}

export interface MailTemplateVersionsTable {
  template_id: string;
  version: number;
  subject: string;
  /** HTML or MJML with Liquid; null = text alone. */
  html: string | null;
  /** Text with Liquid; null = made from the HTML. */
  text: string | null;
  /** JSON object to preview with. */
  sample: string;
  date_created: number;
}

export interface MailOpensTable {
  id: string;
  content_id: string;
  date_opened: number;
  country: string | null;
  region: string | null;
  /** 1 when a mail proxy or a prefetcher asked, so perhaps nobody read. */
  automatic: number;
}

/** How many messages of a client were handed over, by the hour and by the day. */
export interface MailUsageTable {
  client_id: string;
  /** `h` or `d` and the number of the hour or day since the epoch. */
  period: string;
  count: number;
  ends_at: number;
}

/** Contact forms that look like spam: kept, not sent. */
export interface MailSpamTable {
  id: string;
  client_id: string;
  reason: string;
  /** JSON of what the visitor wrote. */
  form: string;
  date_created: number;
}

/** Groups that became supergroups, which have another id (https://core.telegram.org/bots/api#responseparameters). */
export interface MailTelegramMovesTable {
  chat_id: string;
  new_chat_id: string;
}

export const mailMigrations: readonly Migration[] = [
  {
    name: '0005_mail',
    async up({ schema }) {
      await schema
        .createTable('mail_clients')
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('name', 'text', (c) => c.notNull().unique())
        .addColumn('services', 'text', (c) => c.notNull())
        .addColumn('sender', 'text')
        .addColumn('senders_allowed', 'text', (c) => c.notNull())
        .addColumn('recipients_allowed', 'text', (c) => c.notNull())
        .addColumn('contact_to', 'text', (c) => c.notNull())
        .addColumn('contact_acknowledges', 'integer', (c) => c.notNull())
        .addColumn('challenge_url', 'text')
        .addColumn('challenge_secret', 'text')
        .addColumn('telegram_token', 'text')
        .addColumn('origins', 'text', (c) => c.notNull())
        .addColumn('smtp', 'text')
        .addColumn('limit_second', 'integer')
        .addColumn('limit_hour', 'integer')
        .addColumn('limit_day', 'integer')
        .addColumn('enabled', 'integer', (c) => c.notNull())
        .addColumn('date_created', 'bigint', (c) => c.notNull())
        .execute();
      await schema
        .createTable('mail_client_secrets')
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('client_id', 'text', (c) => c.notNull().references('mail_clients.id').onDelete('cascade'))
        .addColumn('hash', 'text', (c) => c.notNull())
        .addColumn('date_created', 'bigint', (c) => c.notNull())
        .execute();
      await schema.createIndex('mail_client_secrets_client').on('mail_client_secrets').column('client_id').execute();
      await schema
        .createTable('mail_contents')
        .addColumn('id', 'text', (c) => c.primaryKey())
        // SQLite takes the name too: bytes are stored as bytes whatever a column is declared to be.
        .addColumn('mime', 'bytea', (c) => c.notNull())
        .addColumn('keep_until', 'bigint', (c) => c.notNull())
        .execute();
      await schema.createIndex('mail_contents_age').on('mail_contents').column('keep_until').execute();
      await schema
        .createTable('mail_templates')
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('name', 'text', (c) => c.notNull().unique())
        .addColumn('version', 'integer', (c) => c.notNull())
        .addColumn('date_created', 'bigint', (c) => c.notNull())
        .addColumn('date_modified', 'bigint', (c) => c.notNull())
        .execute();
      await schema
        .createTable('mail_template_versions')
        .addColumn('template_id', 'text', (c) => c.notNull().references('mail_templates.id').onDelete('cascade'))
        .addColumn('version', 'integer', (c) => c.notNull())
        .addColumn('subject', 'text', (c) => c.notNull())
        .addColumn('html', 'text')
        .addColumn('text', 'text')
        .addColumn('sample', 'text', (c) => c.notNull())
        .addColumn('date_created', 'bigint', (c) => c.notNull())
        .addPrimaryKeyConstraint('mail_template_versions_key', ['template_id', 'version'])
        .execute();
      await schema
        .createTable('mail_opens')
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('content_id', 'text', (c) => c.notNull())
        .addColumn('date_opened', 'bigint', (c) => c.notNull())
        .addColumn('country', 'text')
        .addColumn('region', 'text')
        .addColumn('automatic', 'integer', (c) => c.notNull())
        .execute();
      await schema.createIndex('mail_opens_content').on('mail_opens').column('content_id').execute();
      await schema
        .createTable('mail_usage')
        .addColumn('client_id', 'text', (c) => c.notNull())
        .addColumn('period', 'text', (c) => c.notNull())
        .addColumn('count', 'integer', (c) => c.notNull())
        .addColumn('ends_at', 'bigint', (c) => c.notNull())
        .addPrimaryKeyConstraint('mail_usage_key', ['client_id', 'period'])
        .execute();
      await schema
        .createTable('mail_spam')
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('client_id', 'text', (c) => c.notNull())
        .addColumn('reason', 'text', (c) => c.notNull())
        .addColumn('form', 'text', (c) => c.notNull())
        .addColumn('date_created', 'bigint', (c) => c.notNull())
        .execute();
      await schema
        .createTable('mail_telegram_moves')
        .addColumn('chat_id', 'text', (c) => c.primaryKey())
        .addColumn('new_chat_id', 'text', (c) => c.notNull())
        .execute();
    },
  },
];
