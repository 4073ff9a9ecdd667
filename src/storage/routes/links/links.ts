import { z } from '@hono/zod-openapi';
import { inBatches } from '../../../kernel/database/batches.ts';
import type { Reader } from '../../../kernel/database/database.ts';
import { json } from '../../../kernel/http/bodies/request-body.ts';
import type { App } from '../../../kernel/http/context.ts';
import { endpoint } from '../../../kernel/http/endpoint.ts';
import { NO_STORE } from '../../../kernel/http/no-store.ts';
import { guid } from '../../../kernel/http/params.ts';
import { invalidField } from '../../../kernel/problem.ts';
import type { FoundLink } from '../../links/link.ts';
import type { LinkSettings } from '../../links/links.ts';
import { filesOf, type LinkTarget } from '../../links/targets.ts';
import { findLocked, findRowLocked } from '../../tree/lock.ts';
import type { Member } from '../../tree/member.ts';
import { timeOf, workspaceQuery } from '../fields.ts';
import type { LinkRoutesDeps } from './deps.ts';
import { type LinkFields, linkChangeBody, newLinkBody } from './fields.ts';
import { linkRecord, linkSchema } from './records.ts';

const detailSchema = linkSchema
  .extend({
    fileIds: z
      .array(z.uuid())
      .optional()
      .openapi({ description: 'The chosen files, including those in the trash' }),
  })
  .openapi('FolderLinkDetail');
const path = '/api/storage/links/{id}';

const tags = ['sharing'];

/** Links to folders and to chosen files: create, read, change, delete. */
export function mountLinks(app: App, deps: LinkRoutesDeps): void {
  mountCreation(app, deps);
  mountExisting(app, deps);
}

function mountCreation(app: App, deps: LinkRoutesDeps): void {
  const { database, members, links } = deps;
  endpoint(app, {
    tags,
    auth: members.editor,
    method: 'post',
    path: '/api/storage/links',
    operation: 'createLink',
    summary: 'Create a link to a folder or to chosen files',
    description:
      'The link opens the folder with everything in it, or the files, regardless of their visibility. Files with ' +
      'their own password or access key are left out.',
    query: workspaceQuery,
    body: json(newLinkBody),
    refusesUnknown: true,
    problems: ['not_found', 'limit_reached'],
    responses: { 201: { description: 'The link.', schema: detailSchema } },
    async handler({ caller, query, body, reply }) {
      const access = body.access ?? 'view';
      const named = { ...body, ...query };
      // Checked before hashing, which is expensive.
      await targetOf(deps, database.read, caller, named);
      const settings = await settingsOf(deps, caller, body);
      const link = await database.transaction(async (trx) => {
        const find = async (reader: Reader) => requireTarget(await targetOf(deps, reader, caller, named));
        const target = await findRowLocked(database, trx, find);
        requireFolderFor(access, target.folderId);
        const id = await links.create(trx, { ...settings, access, target, by: caller.id });
        return await links.find(trx, caller, id);
      });
      return reply(201, await recordOf(deps, link), NO_STORE);
    },
  });
}

function mountExisting(app: App, deps: LinkRoutesDeps): void {
  const { database, members, links } = deps;
  const ofLink = { tags, auth: members.editor, path, params: { id: guid } } as const;

  endpoint(app, {
    ...ofLink,
    method: 'get',
    operation: 'getLink',
    summary: 'Get a link to a folder or to chosen files',
    responses: { 200: { description: 'The link.', schema: detailSchema } },
    async handler({ caller, params: { id }, reply }) {
      const link = await links.find(database.read, caller, id);
      return reply(200, await recordOf(deps, link), NO_STORE);
    },
  });

  endpoint(app, {
    ...ofLink,
    method: 'patch',
    operation: 'updateLink',
    summary: 'Change a link to a folder or to chosen files',
    query: workspaceQuery,
    body: json(linkChangeBody),
    refusesUnknown: true,
    problems: ['limit_reached'],
    responses: { 200: { description: 'The changed link.', schema: detailSchema } },
    async handler({ caller, params: { id }, query, body, reply }) {
      // Checked before hashing, which is expensive.
      await links.find(database.read, caller, id);
      const settings = await settingsOf(deps, caller, body);
      const changed = await database.transaction(async (trx) => {
        const find = async (reader: Reader) => ({
          link: await links.find(reader, caller, id),
          target: await targetOf(deps, reader, caller, { ...body, ...query }),
        });
        const { link, target } = await findLocked(database, trx, find, (found) => [
          found.link.workspaceId,
          ...(found.target ? [found.target.workspaceId] : []),
        ]);
        requireFolderFor(settings.access ?? link.access, target ? target.folderId : link.folderId);
        await links.change(trx, link, { ...settings, target, newToken: body.regenerateToken });
        return await links.find(trx, caller, id);
      });
      return reply(200, await recordOf(deps, changed), NO_STORE);
    },
  });

  endpoint(app, {
    ...ofLink,
    method: 'delete',
    operation: 'deleteLink',
    summary: 'Delete a link to a folder or to chosen files',
    responses: { 204: { description: 'Deleted; the link no longer works.' } },
    async handler({ caller, params: { id } }) {
      const find = (reader: Reader) => links.find(reader, caller, id);
      await inBatches(database, async (trx) => links.remove(trx, await findRowLocked(database, trx, find)));
    },
  });
}

async function recordOf(deps: LinkRoutesDeps, link: FoundLink): Promise<z.infer<typeof detailSchema>> {
  const names = await deps.namesOf([link]);
  const fileIds = link.folderId === null ? await filesOf(deps.database.read, link.id) : undefined;
  return { ...linkRecord(link, names, deps), fileIds };
}

async function settingsOf(
  { passwords }: LinkRoutesDeps,
  member: Member,
  { password, expiresAt, title, message, ...body }: LinkFields,
): Promise<LinkSettings> {
  return {
    access: body.access,
    title,
    message,
    passwordHash: password ? await passwords.hash(password, member.id) : password === null ? null : undefined,
    expiresAt: typeof expiresAt === 'string' ? timeOf(expiresAt) : expiresAt,
    maxDownloads: body.maxDownloads,
    maxBytes: body.maxBytes,
    maxFiles: body.maxFiles,
  };
}

/** Returns the target of a link; undefined = the request has none. @throws Problem 404, 403, 400 */
async function targetOf(
  { findTarget }: LinkRoutesDeps,
  reader: Reader,
  member: Member,
  { folderId, fileIds, workspaceId }: LinkFields & { workspaceId?: string },
): Promise<LinkTarget | undefined> {
  if (folderId !== undefined) return await findTarget(reader, member, { folderId, workspaceId });
  return fileIds && (await findTarget(reader, member, { fileIds }));
}

function requireTarget(target: LinkTarget | undefined): LinkTarget {
  if (!target) throw invalidField('folderId', 'is required unless fileIds is given');
  return target;
}

/** Files are sent into a folder. @throws Problem 400 */
function requireFolderFor(access: string, folderId: string | null): void {
  if (access !== 'view' && folderId === null) throw invalidField('access', 'must be view for chosen files');
}
