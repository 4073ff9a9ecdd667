import type { Clock } from '../../kernel/clock.ts';
import type { Database, Reader, Transaction } from '../../kernel/database/database.ts';
import { newId } from '../../kernel/ids.ts';
import { notFound, Problem } from '../../kernel/problem.ts';
import type { TemplateSource } from '../compose/rendering/draft.ts';
import { BUNDLED } from './bundled.ts';

/** A template as it is edited: its texts, and data for a preview. */
export interface TemplateDraft extends TemplateSource {
  sample: Record<string, unknown>;
}

export interface StoredTemplate extends TemplateDraft {
  /** Null = bundled with the program, not stored. */
  id: string | null;
  name: string;
  /** 1 or more; 0 = bundled. */
  version: number;
  dateModified: number | null;
}

/** Named templates. Every change is a new version. Names are case-insensitive. */
export interface Templates {
  /** Returns the names of all templates, the bundled ones included, in order. */
  names(): Promise<string[]>;
  /** Returns the newest version; null = unknown name. */
  find(name: string): Promise<StoredTemplate | null>;
  /** Returns one version of a stored template. @throws Problem 404 */
  version(name: string, version: number): Promise<StoredTemplate>;
  /** Returns the versions of a stored template, newest first. */
  versions(name: string): Promise<{ version: number; dateCreated: number }[]>;
  /** Stores the first version of a new name. @throws Problem 409 `name_taken` */
  create(trx: Transaction, name: string, draft: TemplateDraft): Promise<void>;
  /** Stores a new version, or the first one of a new name, and returns its number. */
  save(trx: Transaction, name: string, draft: TemplateDraft): Promise<number>;
  /** Deletes a template with its versions; a bundled one of that name becomes visible again. @throws Problem 404 */
  remove(trx: Transaction, name: string): Promise<void>;
}

export function createTemplates({ database, clock }: { database: Database; clock: Clock }): Templates {
  return {
    async names() {
      const stored = await database.read.selectFrom('mail_templates').select('name').execute();
      return [...new Set([...stored.map(({ name }) => name), ...BUNDLED.keys()])].sort();
    },
    async find(name) {
      const row = await newest(database.read).where('name', '=', name.toLowerCase()).executeTakeFirst();
      return row ? fromRow(row) : bundledTemplate(name.toLowerCase());
    },
    async version(name, version) {
      const row = await versions(database.read)
        .where('name', '=', name.toLowerCase())
        .where('of.version', '=', version)
        .executeTakeFirstOrThrow(notFound);
      return fromRow(row);
    },
    async versions(name) {
      const rows = await versions(database.read)
        .clearSelect()
        .select(['of.version', 'of.date_created'])
        .where('name', '=', name.toLowerCase())
        .orderBy('of.version', 'desc')
        .execute();
      return rows.map(({ version, date_created }) => ({ version, dateCreated: date_created }));
    },
    async create(trx, givenName, draft) {
      const name = givenName.toLowerCase();
      if (await isStored(trx, name))
        throw new Problem('name_taken', 'A template with this name already exists.');
      await insertTemplate(trx, name, draft, clock.now());
    },
    async save(trx, givenName, draft) {
      const name = givenName.toLowerCase();
      const now = clock.now();
      const next = await trx
        .updateTable('mail_templates')
        .set((set) => ({ version: set('version', '+', 1), date_modified: now }))
        .where('name', '=', name)
        .returning(['id', 'version'])
        .executeTakeFirst();
      return next ? await addVersion(trx, next, draft, now) : await insertTemplate(trx, name, draft, now);
    },
    async remove(trx, name) {
      const { numDeletedRows } = await trx
        .deleteFrom('mail_templates')
        .where('name', '=', name.toLowerCase())
        .executeTakeFirst();
      if (numDeletedRows === 0n) throw notFound();
    },
  };
}

/** Starts a query for the versions of stored templates. */
function versions(reader: Reader) {
  return reader
    .selectFrom('mail_templates')
    .innerJoin('mail_template_versions as of', 'of.template_id', 'mail_templates.id')
    .select(['id', 'name', 'of.version', 'of.date_created', 'subject', 'html', 'text', 'sample']);
}

function newest(reader: Reader) {
  return versions(reader).whereRef('of.version', '=', 'mail_templates.version');
}

async function isStored(trx: Transaction, name: string): Promise<boolean> {
  const found = await trx
    .selectFrom('mail_templates')
    .select('id')
    .where('name', '=', name)
    .executeTakeFirst();
  return found !== undefined;
}

async function insertTemplate(trx: Transaction, name: string, draft: TemplateDraft, now: number) {
  const id = newId();
  const first = { id, version: 1 };
  await trx
    .insertInto('mail_templates')
    .values({ ...first, name, date_created: now, date_modified: now })
    .execute();
  return await addVersion(trx, first, draft, now);
}

/** Returns the number of the version. */
async function addVersion(
  trx: Transaction,
  { id, version }: { id: string; version: number },
  { subject, html, text, ...draft }: TemplateDraft,
  now: number,
): Promise<number> {
  const sample = JSON.stringify(draft.sample);
  await trx
    .insertInto('mail_template_versions')
    .values({ template_id: id, version, subject, html, text, sample, date_created: now })
    .execute();
  return version;
}

type TemplateRow = Awaited<ReturnType<ReturnType<typeof versions>['execute']>>[number];

function fromRow({ date_created, sample, ...row }: TemplateRow): StoredTemplate {
  return { ...row, dateModified: date_created, sample: JSON.parse(sample) as Record<string, unknown> };
}

function bundledTemplate(name: string): StoredTemplate | null {
  const bundled = BUNDLED.get(name);
  return bundled ? { ...bundled, id: null, name, version: 0, dateModified: null } : null;
}
