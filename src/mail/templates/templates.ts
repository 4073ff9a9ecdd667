import type { Clock } from '../../kernel/clock.ts';
import type { Database, Reader, Transaction } from '../../kernel/database/database.ts';
import { notFound, Problem } from '../../kernel/http/problem.ts';
import { newId } from '../../kernel/ids.ts';
import type { TemplateSource } from '../compose/content.ts';
import { BUNDLED } from './bundled.ts';

/** A template as it is edited: what it says, and data to preview it with. */
export interface TemplateDraft extends TemplateSource {
  sample: Record<string, unknown>;
}

export interface StoredTemplate extends TemplateDraft {
  /** Null = bundled with the program, not stored. */
  id: string | null;
  name: string;
  /** From 1; 0 = bundled. */
  version: number;
  dateModified: number | null;
}

/** Named templates, every change a new version. */
export interface Templates {
  /** By name, those that are bundled and not stored included. */
  list(): Promise<StoredTemplate[]>;
  /** The newest version; null = there is none of that name. Names are compared without regard to case. */
  find(name: string): Promise<StoredTemplate | null>;
  /** One version of a stored template. @throws Problem 404 */
  version(name: string, version: number): Promise<StoredTemplate>;
  /** Newest first. */
  versions(name: string): Promise<{ version: number; dateCreated: number }[]>;
  /** Stores a new version, the first one if there is none of the name. @throws Problem 409 `name_taken` when `mustBeNew` */
  save(trx: Transaction, name: string, draft: TemplateDraft, mustBeNew: boolean): Promise<number>;
  /** Deletes a stored template with all its versions; a bundled one of the name shows again. @throws Problem 404 */
  remove(trx: Transaction, name: string): Promise<void>;
}

export function createTemplates({ database, clock }: { database: Database; clock: Clock }): Templates {
  const newest = (reader: Reader) =>
    reader
      .selectFrom('mail_templates')
      .innerJoin('mail_template_versions', (join) =>
        join
          .onRef('mail_template_versions.template_id', '=', 'mail_templates.id')
          .onRef('mail_template_versions.version', '=', 'mail_templates.version'),
      )
      .select(['mail_templates.id', 'name', 'mail_templates.version', 'date_modified', 'subject', 'html', 'text', 'sample']);

  return {
    async list() {
      const stored = (await newest(database.read).execute()).map(fromRow);
      const names = new Set(stored.map(({ name }) => name));
      const bundled = [...BUNDLED.keys()].filter((name) => !names.has(name)).flatMap((name) => bundledTemplate(name) ?? []);
      return [...stored, ...bundled].sort((a, b) => (a.name < b.name ? -1 : 1));
    },

    async find(name) {
      const row = await newest(database.read).where('name', '=', name.toLowerCase()).executeTakeFirst();
      return row ? fromRow(row) : bundledTemplate(name.toLowerCase());
    },

    async version(name, version) {
      const row = await database.read
        .selectFrom('mail_templates')
        .innerJoin('mail_template_versions', 'mail_template_versions.template_id', 'mail_templates.id')
        .select([
          'mail_templates.id',
          'name',
          'mail_template_versions.version',
          'mail_template_versions.date_created as date_modified',
          'subject',
          'html',
          'text',
          'sample',
        ])
        .where('name', '=', name.toLowerCase())
        .where('mail_template_versions.version', '=', version)
        .executeTakeFirst();
      if (!row) throw notFound();
      return fromRow(row);
    },

    async versions(name) {
      const rows = await database.read
        .selectFrom('mail_templates')
        .innerJoin('mail_template_versions', 'mail_template_versions.template_id', 'mail_templates.id')
        .select(['mail_template_versions.version', 'mail_template_versions.date_created'])
        .where('name', '=', name.toLowerCase())
        .orderBy('mail_template_versions.version', 'desc')
        .execute();
      return rows.map(({ version, date_created }) => ({ version, dateCreated: date_created }));
    },

    async save(trx, name, draft, mustBeNew) {
      const now = clock.now();
      const lower = name.toLowerCase();
      const before = await trx.selectFrom('mail_templates').select(['id', 'version']).where('name', '=', lower).executeTakeFirst();
      if (before && mustBeNew) throw new Problem('name_taken', 'There is a template with this name.');
      const id = before?.id ?? newId();
      const version = (before?.version ?? 0) + 1;
      if (before) await trx.updateTable('mail_templates').set({ version, date_modified: now }).where('id', '=', id).execute();
      else await trx.insertInto('mail_templates').values({ id, name: lower, version, date_created: now, date_modified: now }).execute();
      await trx
        .insertInto('mail_template_versions')
        .values({
          template_id: id,
          version,
          subject: draft.subject,
          html: draft.html,
          text: draft.text,
          sample: JSON.stringify(draft.sample),
          date_created: now,
        })
        .execute();
      return version;
    },

    async remove(trx, name) {
      const { numDeletedRows } = await trx.deleteFrom('mail_templates').where('name', '=', name.toLowerCase()).executeTakeFirst();
      if (numDeletedRows === 0n) throw notFound();
    },
  };
}

interface TemplateRow {
  id: string;
  name: string;
  version: number;
  date_modified: number;
  subject: string;
  html: string | null;
  text: string | null;
  sample: string;
}

function fromRow({ id, name, version, date_modified, subject, html, text, sample }: TemplateRow): StoredTemplate {
  return { id, name, version, dateModified: date_modified, subject, html, text, sample: JSON.parse(sample) as Record<string, unknown> };
}

function bundledTemplate(name: string): StoredTemplate | null {
  const bundled = BUNDLED.get(name);
  return bundled ? { ...bundled, id: null, name, version: 0, dateModified: null } : null;
}
