import { z } from '@hono/zod-openapi';
import type { Database } from '../../kernel/database/database.ts';
import { multipart } from '../../kernel/http/bodies/form-body.ts';
import type { App, Ctx } from '../../kernel/http/context.ts';
import { endpoint } from '../../kernel/http/endpoint.ts';
import { flag, guid } from '../../kernel/http/params.ts';
import { invalidField } from '../../kernel/problem.ts';
import { replacedBytes } from '../tree/files/conflicts.ts';
import type { Folder } from '../tree/folders/folder.ts';
import { readFileName } from '../tree/names.ts';
import type { RoutesDeps } from './deps.ts';
import {
  EMPTY_PASSWORD,
  filePasswordField,
  folderId,
  isProtected,
  onConflictField,
  visibilityField,
  workspaceQuery,
} from './fields.ts';
import { uploadRecord, uploadRecordSchema } from './records.ts';
import { emptyForm, readUploadForm, type UploadForm } from './upload-form.ts';

const shared = {
  method: 'post',
  tags: ['files'],
  problems: ['not_found', 'file_too_large', 'quota_exceeded', 'storage_full'],
} as const;
const originalName = z.string().optional();
const replacementFields = z.object({
  originalName: originalName.openapi({ description: 'New name; by default, the file keeps its name' }),
});
const uploadFields = z
  .object({
    originalName: originalName.openapi({ description: 'Instead of the name of the file part' }),
    visibility: visibilityField,
    onConflict: onConflictField,
    filePassword: filePasswordField,
    accessKey: flag.openapi({ description: '`true` creates an access key' }),
  })
  .refine(isProtected, EMPTY_PASSWORD);

/** `POST /api/storage/files/{folderId}`: a new file. */
export function mountUpload(
  app: App,
  { database, members, files, folders, receiver, passwords, recheckUpload, stored }: RoutesDeps,
): void {
  endpoint(app, {
    ...shared,
    path: '/api/storage/files/{id}',
    operation: 'uploadFile',
    summary: 'Upload a file into a folder',
    auth: members.editor,
    params: { id: folderId },
    query: workspaceQuery,
    body: multipart(uploadFields),
    refusesUnknown: true,
    problems: [...shared.problems, 'name_taken'],
    responses: {
      201: { description: 'The stored file; `Location` is its metadata.', schema: uploadRecordSchema },
    },
    async handler({ c, caller, params: { id }, query, body: { names, check }, reply }) {
      const recheck = recheckUpload(c, members.editor);
      const folder = await folders.find(database.read, caller, id, query.workspaceId);
      const form = emptyForm();
      const target = {
        workspaceId: folder.workspaceId,
        freedBytes: () => bytesFreedBy(database, folder, form),
        bodyBytes: bodyBytes(c),
      };
      const file = await receiver.receive(target, async (intake) => {
        await readUploadForm(c, intake, names, form);
        await recheck();
        const fields = check(form.fields);
        const originalName = nameOf(fields, form);
        const { filePassword } = fields;
        const passwordHash = filePassword ? await passwords.hash(filePassword, caller.id) : null;
        return {
          hint: { mediaType: form.mediaType, fileName: originalName },
          commit: (trx, content, reservationId) =>
            files.add(trx, {
              folder,
              originalName,
              content,
              visibility: fields.visibility === undefined ? undefined : Number(fields.visibility),
              passwordHash,
              withAccessKey: fields.accessKey,
              reservationId,
              by: caller.id,
              onConflict: fields.onConflict,
            }),
        };
      });
      stored(file);
      return reply(201, uploadRecord(file), { Location: `/api/storage/files/${file.id}/metadata` });
    },
  });
}

/** `POST /api/storage/files/{fileId}/replace`: new bytes for a file. */
export function mountReplace(
  app: App,
  { database, members, files, receiver, recheckUpload, stored }: RoutesDeps,
): void {
  endpoint(app, {
    ...shared,
    path: '/api/storage/files/{id}/replace',
    operation: 'replaceFile',
    summary: 'Replace the bytes of a file',
    auth: members.editor,
    params: { id: guid },
    body: multipart(replacementFields),
    refusesUnknown: true,
    responses: {
      200: {
        description: 'The stored file. Id, name, tokens, password and access key are unchanged.',
        schema: uploadRecordSchema,
      },
    },
    async handler({ c, caller, params: { id }, body: { names, check } }) {
      const recheck = recheckUpload(c, members.editor);
      const old = await files.find(database.read, caller, id);
      const target = { workspaceId: old.workspaceId, freedBytes: old.sizeBytes, bodyBytes: bodyBytes(c) };
      const file = await receiver.receive(target, async (intake) => {
        const form = await readUploadForm(c, intake, names);
        await recheck();
        const { originalName: newName } = check(form.fields);
        const originalName = newName === undefined ? undefined : readFileName(newName, 'originalName');
        return {
          hint: { mediaType: form.mediaType, fileName: newName ?? form.fileName ?? old.originalName },
          commit: (trx, content, reservationId) =>
            files.replace(trx, old, { content, originalName, reservationId, by: caller.id }),
        };
      });
      stored(file);
      return uploadRecord(file);
    },
  });
}

/** Returns the size of the file that an upload replaces, by the fields that have been read so far; 0 = none. */
async function bytesFreedBy(
  { read }: Database,
  { id: folderId }: Folder,
  { fields, fileName }: UploadForm,
): Promise<number> {
  const name = fields.originalName ?? fileName;
  if (fields.onConflict !== 'replace' || !name) return 0;
  return await replacedBytes(read, folderId, readFileName(name, 'originalName'));
}

/** The length of the body that the client declares; null = none. */
function bodyBytes(c: Ctx): number | null {
  const length = c.req.header('Content-Length');
  return length === undefined || c.req.header('Transfer-Encoding') !== undefined ? null : Number(length);
}

/** @throws Problem 400 when there is no name, or one that cannot be stored */
function nameOf({ originalName: given }: { originalName?: string }, { fileName }: UploadForm): string {
  if (given !== undefined) return readFileName(given, 'originalName');
  // Browsers send an empty name when no file was chosen.
  if (fileName === '') throw invalidField('file', 'has no name; choose a file');
  if (fileName !== null) return readFileName(fileName, 'file');
  throw invalidField('originalName', 'is required when the file part has no name');
}
