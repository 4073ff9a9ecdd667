import { z } from '@hono/zod-openapi';
import type { Reader } from '../../kernel/database/database.ts';
import { json } from '../../kernel/http/bodies/request-body.ts';
import type { App } from '../../kernel/http/context.ts';
import { endpoint } from '../../kernel/http/endpoint.ts';
import { NO_STORE } from '../../kernel/http/no-store.ts';
import { guid } from '../../kernel/http/params.ts';
import { timeField } from '../../kernel/shared-fields.ts';
import type { FileChange } from '../tree/files/changes.ts';
import type { StoredFile } from '../tree/files/file.ts';
import { findRowLocked } from '../tree/lock.ts';
import type { Member } from '../tree/member.ts';
import { readFileName } from '../tree/names.ts';
import type { RoutesDeps } from './deps.ts';
import {
  EMPTY_PASSWORD,
  filePasswordField,
  isProtected,
  maxDownloadsField,
  onConflictField,
  timeOf,
} from './fields.ts';
import { fullRecord } from './full-record.ts';
import { listItem, metadataSchema } from './records.ts';

const fileChange = z
  .object({
    originalName: z.string().min(1).optional(),
    onConflict: onConflictField,
    visibility: z
      .preprocess(
        (value) => (value === '0' || value === '1' ? Number(value) : value),
        z.union([z.literal(0), z.literal(1)], 'must be 0 (private) or 1 (public)'),
      )
      .optional(),
    filePassword: filePasswordField
      .nullable()
      .openapi({ description: 'A new password; `null` removes the password' }),
    accessKey: z
      .boolean('must be true (create a new key) or null (remove the key)')
      .nullish()
      .openapi({ description: '`true` creates a new key, `null` removes the key' }),
    expiresAt: timeField.nullish(),
    maxDownloads: maxDownloadsField.nullish(),
    sharedBy: z
      .string()
      .trim()
      .max(100, 'must have at most 100 characters')
      .regex(/^\P{Cc}*$/u, 'must not contain control characters')
      // A name of blanks is absent.
      .transform((name) => name || undefined)
      .nullish()
      .openapi({ description: 'Name of the sender that the page of the file shows; `null` shows none' }),
    regenerateTokens: z.boolean().optional(),
  })
  .refine(isProtected, EMPTY_PASSWORD);

/** Metadata of files: read, change, delete. */
export function mountFiles(app: App, deps: RoutesDeps): void {
  const { database, members, files, trash, namesOf } = deps;
  const shared = { tags: ['files'], auth: members.editor, params: { id: guid } } as const;
  const recordOf = (file: StoredFile) => fullRecord(deps, file);

  endpoint(app, {
    ...shared,
    method: 'get',
    path: '/api/storage/files/{id}/metadata',
    operation: 'getFile',
    summary: 'Get the metadata of a file',
    auth: members.viewer,
    responses: {
      200: {
        description: 'The metadata; for viewers, without the key and the tokens.',
        schema: metadataSchema,
      },
    },
    async handler({ caller, params: { id }, reply }) {
      const file = await files.find(database.read, caller, id);
      const record = file.role === 'viewer' ? listItem(file, await namesOf([file])) : await recordOf(file);
      return reply(200, record, NO_STORE);
    },
  });

  endpoint(app, {
    ...shared,
    method: 'patch',
    path: '/api/storage/files/{id}',
    operation: 'updateFile',
    summary: 'Rename, share or protect a file',
    body: json(fileChange),
    problems: ['name_taken'],
    refusesUnknown: true,
    responses: { 200: { description: 'The changed metadata.', schema: metadataSchema } },
    async handler({ caller, params: { id }, body, reply }) {
      const file = await changeFile(deps, caller, id, body);
      return reply(200, await recordOf(file), NO_STORE);
    },
  });

  endpoint(app, {
    ...shared,
    method: 'delete',
    path: '/api/storage/files/{id}',
    operation: 'deleteFile',
    summary: 'Delete a file',
    responses: {
      204: { description: 'Deleted for everyone immediately. It can be restored for a few days.' },
    },
    async handler({ caller, params: { id } }) {
      const find = (reader: Reader) => files.find(reader, caller, id);
      await database.transaction(async (trx) =>
        trash.removeFile(trx, await findRowLocked(database, trx, find), caller.id),
      );
    },
  });
}

async function changeFile(
  { database, files, passwords }: RoutesDeps,
  member: Member,
  id: string,
  body: z.output<typeof fileChange>,
) {
  const find = (reader: Reader) => files.find(reader, member, id);
  // Checked before hashing, which is expensive.
  await find(database.read);
  const { originalName, onConflict } = body;
  const name = originalName === undefined ? undefined : readFileName(originalName, 'originalName');
  const change = await changeOf(body, member.id, (password) => passwords.hash(password, member.id));
  return await database.transaction(async (trx) => {
    const file =
      name === undefined
        ? await findRowLocked(database, trx, find)
        : await files.place(trx, await find(trx), { name, onConflict, by: member.id });
    return await files.change(trx, file, change);
  });
}

async function changeOf(
  body: z.output<typeof fileChange>,
  by: string,
  hash: (password: string) => Promise<string>,
): Promise<FileChange> {
  const { filePassword, accessKey, expiresAt } = body;
  return {
    by,
    visibility: body.visibility,
    passwordHash: filePassword ? await hash(filePassword) : filePassword === null ? null : undefined,
    accessKey: accessKey === true ? 'new' : accessKey === null ? null : undefined,
    expiresAt: typeof expiresAt === 'string' ? timeOf(expiresAt) : expiresAt,
    maxDownloads: body.maxDownloads,
    sharedBy: body.sharedBy,
    newTokens: body.regenerateTokens,
  };
}
