import { z } from '@hono/zod-openapi';
import type { Guard } from '../../../identity/guard.ts';
import { isoTime } from '../../../kernel/clock.ts';
import type { Database } from '../../../kernel/database/database.ts';
import { readJson } from '../../../kernel/http/body.ts';
import type { App, Ctx } from '../../../kernel/http/context.ts';
import { endpoint } from '../../../kernel/http/endpoint.ts';
import { notFound } from '../../../kernel/http/problem.ts';
import type { Content, RenderTemplate, TemplateSource } from '../../compose/content.ts';
import { jsonObject } from '../../json-object.ts';
import type { StoredTemplate, Templates } from '../../templates/templates.ts';
import { ADMIN, READS, WRITES } from './parts.ts';

const BASE = '/api/admin/mail/templates';
const LONGEST_SOURCE = 500_000;

const nameField = z.string().regex(/^[a-z0-9][a-z0-9._-]{0,63}$/i, 'must be letters, digits, dots and dashes, 64 at most');
const source = {
  subject: z.string().min(1, 'must not be empty').max(998),
  html: z.string().max(LONGEST_SOURCE).nullable(),
  text: z.string().max(LONGEST_SOURCE).nullable(),
};
const draft = z.object({ ...source, sample: jsonObject.default({}) });
const saved = draft.refine(({ html, text }) => html !== null || text !== null, { path: ['html'], error: 'is required, or text' });
const previewed = z.object({ ...source, data: jsonObject.default({}), strict: z.boolean().default(false) });
const templateShown = z
  .object({
    name: z.string(),
    version: z.int(),
    bundled: z.boolean(),
    dateModified: z.iso.datetime().nullable(),
    ...source,
    sample: z.record(z.string(), z.unknown()),
  })
  .openapi('MailTemplate');
const contentShown = z.object({ subject: z.string(), html: z.string().nullable(), text: z.string() });
const versionShown = z.object({ version: z.int(), dateCreated: z.iso.datetime() });

interface TemplateRouteParts {
  database: Database;
  templates: Templates;
  renderTemplate: RenderTemplate;
  guard: Guard;
}

/** Stored templates: every saving makes a new version, the newest is used. */
export function mountTemplates(app: App, { database, templates, renderTemplate, guard }: TemplateRouteParts): void {
  endpoint(
    app,
    'get',
    BASE,
    {
      ...ADMIN,
      summary: 'All templates, the bundled ones included',
      answers: { 200: { description: 'By name, in their newest version.', schema: z.array(templateShown) } },
      problems: [...READS],
    },
    async (c) => {
      await guard.requireAdmin(c);
      return c.json((await templates.list()).map(shown));
    },
  );

  endpoint(
    app,
    'post',
    BASE,
    {
      ...ADMIN,
      summary: 'Store a new template',
      body: { 'application/json': draft.extend({ name: nameField }) },
      answers: { 201: { description: 'The template.', schema: templateShown } },
      problems: [...WRITES, 'invalid_template', 'name_taken'],
    },
    async (c) => {
      await guard.requireAdmin(c);
      const { name, ...wanted } = await readJson(c, saved.safeExtend({ name: nameField }));
      check(wanted);
      await database.transaction((trx) => templates.save(trx, name, wanted, true));
      return c.json(shown(await existing(name)), 201);
    },
  );

  endpoint(
    app,
    'get',
    `${BASE}/{name}`,
    {
      ...ADMIN,
      summary: 'A template',
      query: z.object({ version: z.coerce.number().int().min(1).optional() }),
      answers: { 200: { description: 'The version asked for, or the newest.', schema: templateShown } },
      problems: [...READS, 'not_found'],
    },
    async (c) => {
      await guard.requireAdmin(c);
      const version = c.req.query('version');
      if (version === undefined) return c.json(shown(await existing(nameOf(c))));
      if (!/^\d{1,9}$/.test(version)) throw notFound();
      return c.json(shown(await templates.version(nameOf(c), Number(version))));
    },
  );

  endpoint(
    app,
    'put',
    `${BASE}/{name}`,
    {
      ...ADMIN,
      summary: 'Save a new version of a template',
      body: { 'application/json': draft },
      answers: { 200: { description: 'The template. A bundled one is stored from now on.', schema: templateShown } },
      problems: [...WRITES, 'invalid_template', 'not_found'],
    },
    async (c) => {
      await guard.requireAdmin(c);
      const wanted = await readJson(c, saved);
      const { name } = await existing(nameOf(c));
      check(wanted);
      await database.transaction((trx) => templates.save(trx, name, wanted, false));
      return c.json(shown(await existing(name)));
    },
  );

  endpoint(
    app,
    'delete',
    `${BASE}/{name}`,
    {
      ...ADMIN,
      summary: 'Delete a stored template with all its versions',
      answers: { 204: { description: 'Gone. A bundled one of the name shows again.', schema: null } },
      problems: [...READS, 'cross_site_request', 'not_found'],
    },
    async (c) => {
      await guard.requireAdmin(c);
      await database.transaction((trx) => templates.remove(trx, nameOf(c)));
      return c.body(null, 204);
    },
  );

  endpoint(
    app,
    'get',
    `${BASE}/{name}/versions`,
    {
      ...ADMIN,
      summary: 'The versions of a template',
      answers: { 200: { description: 'Newest first; none for a bundled one.', schema: z.array(versionShown) } },
      problems: [...READS, 'not_found'],
    },
    async (c) => {
      await guard.requireAdmin(c);
      await existing(nameOf(c));
      const versions = await templates.versions(nameOf(c));
      return c.json(versions.map(({ version, dateCreated }) => ({ version, dateCreated: isoTime(dateCreated) })));
    },
  );

  endpoint(
    app,
    'post',
    '/api/admin/mail/preview',
    {
      ...ADMIN,
      summary: 'Fill a template that need not be stored',
      body: { 'application/json': previewed },
      answers: { 200: { description: 'Subject, HTML and text as they would be sent.', schema: contentShown } },
      problems: [...WRITES, 'invalid_template'],
    },
    async (c) => {
      await guard.requireAdmin(c);
      const { data, strict, ...wanted } = await readJson(c, previewed);
      return c.json(renderTemplate(wanted, data, strict, fieldOf(wanted)) satisfies Content);
    },
  );

  async function existing(name: string): Promise<StoredTemplate> {
    const found = await templates.find(name);
    if (!found) throw notFound();
    return found;
  }

  /** What cannot be filled with its own sample is not stored. */
  function check({ sample, ...wanted }: TemplateSource & { sample: Record<string, unknown> }): void {
    renderTemplate(wanted, sample, false, fieldOf(wanted));
  }
}

function fieldOf({ html }: TemplateSource): string {
  return html === null ? 'text' : 'html';
}

function nameOf(c: Ctx): string {
  const name = c.req.param('name') ?? '';
  if (!nameField.safeParse(name).success) throw notFound();
  return name;
}

function shown({ id, name, version, dateModified, subject, html, text, sample }: StoredTemplate): z.infer<typeof templateShown> {
  return {
    name,
    version,
    bundled: id === null,
    dateModified: dateModified === null ? null : isoTime(dateModified),
    subject,
    html,
    text,
    sample,
  };
}
