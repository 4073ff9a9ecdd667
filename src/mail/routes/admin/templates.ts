import { z } from '@hono/zod-openapi';
import { isoTime } from '../../../kernel/clock.ts';
import type { GiveWay } from '../../../kernel/event-loop/time-slices.ts';
import { json } from '../../../kernel/http/bodies/request-body.ts';
import { ContentResponse } from '../../../kernel/http/content/content-response.ts';
import type { App } from '../../../kernel/http/context.ts';
import { endpoint } from '../../../kernel/http/endpoint.ts';
import type { Param } from '../../../kernel/http/params.ts';
import { notFound } from '../../../kernel/problem.ts';
import { type Draft, type TemplateSource, templateDraft } from '../../compose/rendering/draft.ts';
import type { Rendering } from '../../compose/rendering/rendering.ts';
import { MAX_SOURCE_LENGTH, MAX_SUBJECT_LENGTH, optionalJsonObject } from '../../fields.ts';
import type { StoredTemplate, TemplateDraft, Templates } from '../../templates/templates.ts';
import type { AdminDeps } from './deps.ts';
import { administration } from './shared.ts';

const nameField = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,63}$/i, 'must have at most 64 letters, digits, dots and dashes');
const source = {
  subject: z.string().min(1, 'must not be empty').max(MAX_SUBJECT_LENGTH),
  html: z.string().max(MAX_SOURCE_LENGTH).nullable(),
  text: z.string().max(MAX_SOURCE_LENGTH).nullable(),
};

const draftSchema = z
  .object({ ...source, sample: optionalJsonObject })
  .refine(({ html, text }) => html !== null || text !== null, {
    path: ['html'],
    error: 'is required, or text',
  });
const newTemplate = draftSchema.safeExtend({ name: nameField });
const previewBody = z.object({
  ...source,
  data: optionalJsonObject,
  strict: z.boolean().default(false),
});
const templateSchema = z
  .object({
    name: z.string(),
    version: z.int(),
    bundled: z.boolean(),
    dateModified: z.iso.datetime().nullable(),
    ...source,
    sample: z.record(z.string(), z.unknown()),
  })
  .openapi('MailTemplate');

const contentSchema = z.object({
  subject: z.string(),
  html: z.string().nullable(),
  text: z.string(),
});
const versionSchema = z.object({ version: z.int(), dateCreated: z.iso.datetime() });

/** The name of a template. An invalid name is treated as one that does not exist. */
const templateName: Param<string> = {
  schema: nameField,
  parse(text) {
    if (!nameField.safeParse(text).success) throw notFound();
    return text;
  },
};

const all = '/api/admin/mail/templates';
const one = '/api/admin/mail/templates/{name}';

/** Stored templates. Each change creates a version; the newest is used. */
export function mountTemplates(app: App, deps: AdminDeps): void {
  mountAll(app, deps);
  mountOne(app, deps);
  mountReading(app, deps);
}

function mountAll(app: App, deps: AdminDeps): void {
  const { database, templates, rendering } = deps;
  const shared = { ...administration(deps), path: all } as const;

  endpoint(app, {
    ...shared,
    method: 'get',
    operation: 'listMailTemplates',
    summary: 'List the templates, with the bundled ones',
    responses: { 200: { description: 'Newest versions, ordered by name.', schema: z.array(templateSchema) } },
    async handler({ c }) {
      const chunks = await listJson(templates, c.env.giveWay);
      const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
      const headers = { 'content-type': 'application/json', 'content-length': String(length) } as const;
      return new ContentResponse(inTurn(chunks), { headers });
    },
  });

  endpoint(app, {
    ...shared,
    method: 'post',
    operation: 'createMailTemplate',
    summary: 'Create a template',
    body: json(newTemplate),
    responses: { 201: { description: 'The template.', schema: templateSchema } },
    problems: ['invalid_template', 'name_taken'],
    async handler({ caller, body: { name, ...draft } }) {
      await requireRenderable(rendering, caller.accountId, draft);
      await database.transaction((trx) => templates.create(trx, name, draft));
      return templateJson(await find(templates, name));
    },
  });
}

function mountOne(app: App, deps: AdminDeps): void {
  const { database, templates, rendering } = deps;
  const shared = { ...administration(deps), path: one, params: { name: templateName } } as const;

  endpoint(app, {
    ...shared,
    method: 'get',
    operation: 'getMailTemplate',
    summary: 'Get a template',
    query: z.object({ version: z.coerce.number().int().min(1).max(999_999_999).optional() }),
    responses: { 200: { description: 'The given version, or the newest.', schema: templateSchema } },
    handler: async ({ params: { name }, query: { version } }) =>
      templateJson(await (version === undefined ? find(templates, name) : templates.version(name, version))),
  });

  endpoint(app, {
    ...shared,
    method: 'put',
    operation: 'updateMailTemplate',
    summary: 'Save a new version of a template',
    body: json(draftSchema),
    responses: {
      200: { description: 'The template. A bundled one becomes a stored one.', schema: templateSchema },
    },
    problems: ['invalid_template'],
    async handler({ caller, params, body }) {
      const { name } = await find(templates, params.name);
      await requireRenderable(rendering, caller.accountId, body);
      await database.transaction((trx) => templates.save(trx, name, body));
      return templateJson(await find(templates, name));
    },
  });

  endpoint(app, {
    ...shared,
    method: 'delete',
    operation: 'deleteMailTemplate',
    summary: 'Delete a stored template with its versions',
    responses: { 204: { description: 'Deleted. A bundled template of the same name is used again.' } },
    handler: ({ params: { name } }) => database.transaction((trx) => templates.remove(trx, name)),
  });
}

/** The versions of a template, and the preview of a draft. */
function mountReading(app: App, deps: AdminDeps): void {
  const { templates, rendering } = deps;

  endpoint(app, {
    ...administration(deps),
    method: 'get',
    path: `${one}/versions`,
    operation: 'listMailTemplateVersions',
    summary: 'List the versions of a template',
    params: { name: templateName },
    responses: {
      200: { description: 'Newest first; none of a bundled template.', schema: z.array(versionSchema) },
    },
    async handler({ params }) {
      const { name } = await find(templates, params.name);
      const versions = await templates.versions(name);
      return versions.map(({ version, dateCreated }) => ({ version, dateCreated: isoTime(dateCreated) }));
    },
  });

  endpoint(app, {
    ...administration(deps),
    method: 'post',
    path: '/api/admin/mail/preview',
    operation: 'previewMailTemplate',
    summary: 'Render a template without storing it',
    body: json(previewBody),
    responses: { 200: { description: 'Subject, HTML and text of the e-mail.', schema: contentSchema } },
    problems: ['invalid_template'],
    async handler({ c, caller, body: { data, strict, ...source } }) {
      // Passes on the JSON of the child unparsed, since the texts may be large.
      const content = await rendering.preview(caller.accountId, draftOf(source, data, strict));
      return c.body(new Uint8Array(content), 200, { 'Content-Type': 'application/json' });
    },
  });
}

/** Returns the JSON of all templates, one template per chunk, since each can have a megabyte. */
async function listJson(templates: Templates, giveWay: GiveWay): Promise<Uint8Array[]> {
  const chunks: Uint8Array[] = [];
  for (const name of await templates.names()) {
    await giveWay();
    const template = await templates.find(name);
    const separator = chunks.length === 0 ? '[' : ',';
    if (template) chunks.push(Buffer.from(separator + JSON.stringify(templateJson(template))));
  }
  return [...chunks, Buffer.from(chunks.length === 0 ? '[]' : ']')];
}

async function* inTurn(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

/** @throws Problem 404 */
async function find(templates: Templates, name: string): Promise<StoredTemplate> {
  const found = await templates.find(name);
  if (!found) throw notFound();
  return found;
}

/** @throws Problem 400 `invalid_template` when the template cannot be rendered with its own sample */
async function requireRenderable(
  rendering: Rendering,
  owner: string,
  { sample, ...source }: TemplateDraft,
): Promise<void> {
  await rendering.preview(owner, draftOf(source, sample));
}

/** Returns a draft whose errors name `html`, or `text` if it has no HTML. */
function draftOf(source: TemplateSource, data: Record<string, unknown>, strict = false): Draft {
  return templateDraft(source, { data, strict, field: source.html === null ? 'text' : 'html' });
}

function templateJson({ id, dateModified, ...template }: StoredTemplate) {
  return {
    ...template,
    bundled: id === null,
    dateModified: dateModified === null ? null : isoTime(dateModified),
  };
}
