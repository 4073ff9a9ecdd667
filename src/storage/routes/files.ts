import { z } from '@hono/zod-openapi';
import type { Guard } from '../../identity/guard.ts';
import type { Passwords } from '../../kernel/crypto/passwords.ts';
import type { Database, Transaction } from '../../kernel/database/database.ts';
import { readJson, readQuery } from '../../kernel/http/body.ts';
import type { App, Ctx } from '../../kernel/http/context.ts';
import { endpoint, pathId, type Security } from '../../kernel/http/endpoint.ts';
import type { StoredFile } from '../file.ts';
import type { FileChange, Files } from '../files.ts';
import type { Folders } from '../folders.ts';
import { listFiles } from '../listing.ts';
import { readFileName } from '../names.ts';
import type { Workspaces } from '../workspaces.ts';
import { bodyFolderId, pathFolderId } from './folder-id.ts';
import { listItem, listItemSchema, metadata, metadataSchema } from './records.ts';

interface FileRoutesParts {
  database: Database;
  guard: Guard;
  files: Files;
  folders: Folders;
  workspaces: Workspaces;
  passwords: Passwords;
  /** Forgets wrong guesses at a file's secrets; called when they change. */
  clearAttempts(trx: Transaction, fileId: string): Promise<void>;
}

const tags = ['files'];
const security: Security[] = ['session', 'bearer'];
const listQuery = z.object({
  limit: z.coerce.number().int().min(1).max(1000).default(1000),
  cursor: z.string().max(2000).optional(),
  sort: z.enum(['name', 'size', 'date', 'type']).default('name'),
  order: z.enum(['asc', 'desc']).default('asc'),
  search: z
    .string()
    .max(255)
    .regex(/^\P{Cc}*$/u, 'must not contain control characters')
    .optional(),
});
const LATEST_EXPIRY = Date.UTC(9999, 0);
const patch = z.object({
  originalName: z.string().optional(),
  visibility: z.union([z.literal(0), z.literal(1)], 'must be 0 (private) or 1 (public)').optional(),
  filePassword: z.string().min(1, 'must not be empty; null takes the password away').max(1024).nullish(),
  accessKey: z.literal(true, 'must be true (make a new one) or null (remove it)').nullish(),
  expiresAt: z.iso.datetime({ offset: true }).nullish(),
  maxDownloads: z.int().min(1).max(2_147_483_647).nullish(),
  regenerateTokens: z.boolean().optional(),
});
const target = z.object({ targetFolderId: z.string() });

/** What the owner does with a file but for its bytes: list, look at, change, move, delete, restore. */
export function mountFiles(app: App, { database, guard, files, folders, workspaces, passwords, clearAttempts }: FileRoutesParts): void {
  const shown = (file: StoredFile) => metadata(file, files.accessKeyOf(file));

  endpoint(
    app,
    'get',
    '/api/storage/files/{id}',
    {
      summary: 'The files of a folder',
      tags,
      security,
      query: listQuery,
      answers: { 200: { description: 'A page of them. `Link: <…>; rel="next"` leads to the next.', schema: z.array(listItemSchema) } },
      problems: ['login_required', 'not_found', 'invalid_request'],
    },
    async (c) => {
      const { accountId } = await guard.requireAccount(c);
      const folder = await folders.find(database.read, accountId, pathFolderId(c));
      const wishes = readQuery(c, listQuery);
      const page = await listFiles(database, folder.id, wishes);
      if (page.nextCursor !== null) c.header('Link', nextLink(c, page.nextCursor));
      return c.json(page.files.map(listItem));
    },
  );

  endpoint(
    app,
    'get',
    '/api/storage/files/{id}/metadata',
    {
      summary: 'All about a file',
      tags,
      security,
      answers: { 200: { description: 'Its metadata.', schema: metadataSchema } },
      problems: ['login_required', 'not_found'],
    },
    async (c) => {
      const { accountId } = await guard.requireAccount(c);
      return c.json(shown(await files.find(database.read, accountId, pathId(c, 'id'))), 200, { 'Cache-Control': 'no-store' });
    },
  );

  endpoint(
    app,
    'patch',
    '/api/storage/files/{id}',
    {
      summary: 'Rename a file, share it, protect it',
      tags,
      security,
      body: { 'application/json': patch },
      answers: { 200: { description: 'Its metadata as it is now.', schema: metadataSchema } },
      problems: ['login_required', 'not_found', 'invalid_request'],
    },
    async (c) => {
      const { accountId } = await guard.requireAccount(c);
      const id = pathId(c, 'id');
      const body = await readJson(c, patch);
      // Hashing takes a while, so a stranger's file is not found first.
      await files.find(database.read, accountId, id);
      const change: FileChange = {
        originalName: body.originalName === undefined ? undefined : readFileName(body.originalName, 'originalName'),
        visibility: body.visibility,
        passwordHash: typeof body.filePassword === 'string' ? await passwords.hash(body.filePassword) : body.filePassword,
        accessKey: body.accessKey === true ? 'new' : body.accessKey,
        expiresAt: typeof body.expiresAt === 'string' ? Math.min(Date.parse(body.expiresAt), LATEST_EXPIRY) : body.expiresAt,
        maxDownloads: body.maxDownloads,
        newTokens: body.regenerateTokens,
      };
      const file = await database.transaction(async (trx) => {
        const changed = await files.change(trx, await files.find(trx, accountId, id), change);
        if (change.passwordHash !== undefined || change.accessKey !== undefined) await clearAttempts(trx, id);
        return changed;
      });
      return c.json(shown(file), 200, { 'Cache-Control': 'no-store' });
    },
  );

  endpoint(
    app,
    'post',
    '/api/storage/files/{id}/move',
    {
      summary: 'Move a file into another folder',
      tags,
      security,
      body: { 'application/json': target },
      answers: { 200: { description: 'Its metadata as it is now.', schema: metadataSchema } },
      problems: ['login_required', 'not_found', 'invalid_request'],
    },
    async (c) => {
      const { accountId } = await guard.requireAccount(c);
      const id = pathId(c, 'id');
      const folderId = bodyFolderId((await readJson(c, target)).targetFolderId, 'targetFolderId');
      const file = await database.transaction(async (trx) =>
        files.move(trx, await files.find(trx, accountId, id), await folders.find(trx, accountId, folderId)),
      );
      return c.json(shown(file));
    },
  );

  endpoint(
    app,
    'delete',
    '/api/storage/files/{id}',
    {
      summary: 'Delete a file',
      tags,
      security,
      answers: { 204: { description: 'Gone for everyone at once. It can be restored for some days.', schema: null } },
      problems: ['login_required', 'not_found'],
    },
    async (c) => {
      const { accountId } = await guard.requireAccount(c);
      const id = pathId(c, 'id');
      await database.transaction(async (trx) => files.remove(trx, await files.find(trx, accountId, id)));
      return c.body(null, 204);
    },
  );

  endpoint(
    app,
    'post',
    '/api/storage/files/{id}/restore',
    {
      summary: 'Undo a delete',
      tags,
      security,
      answers: {
        200: {
          description: 'The metadata of the file, which is where it was, or in the root when its folder is gone.',
          schema: metadataSchema,
        },
      },
      problems: ['login_required', 'not_found', 'quota_exceeded'],
    },
    async (c) => {
      const { accountId } = await guard.requireAccount(c);
      const id = pathId(c, 'id');
      return c.json(shown(await database.transaction((trx) => files.restore(trx, accountId, id))));
    },
  );

  endpoint(
    app,
    'get',
    '/api/storage/trash',
    {
      summary: 'What can be restored, the last deleted first',
      tags,
      security,
      answers: { 200: { description: 'At most a thousand.', schema: z.array(listItemSchema.extend({ dateDeleted: z.iso.datetime() })) } },
      problems: ['login_required'],
    },
    async (c) => {
      const { accountId } = await guard.requireAccount(c);
      const { id } = await workspaces.one(accountId, null);
      const deleted = await files.trash(id, 1000);
      return c.json(deleted.map((file) => ({ ...listItem(file), dateDeleted: new Date(file.deletedAt ?? 0).toISOString() })));
    },
  );
}

/** RFC 8288 §3; relative, so that it is right behind every proxy. */
function nextLink(c: Ctx, cursor: string): string {
  const url = new URL(c.req.url);
  url.searchParams.set('cursor', cursor);
  return `<${url.pathname}${url.search}>; rel="next"`;
}
