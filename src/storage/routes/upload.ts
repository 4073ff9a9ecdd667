import { z } from '@hono/zod-openapi';
import type { Guard } from '../../identity/guard.ts';
import type { Passwords } from '../../kernel/crypto/passwords.ts';
import type { Database } from '../../kernel/database/database.ts';
import { checked } from '../../kernel/http/body.ts';
import type { App, Ctx } from '../../kernel/http/context.ts';
import { type EndpointDoc, endpoint, pathId } from '../../kernel/http/endpoint.ts';
import { invalidField } from '../../kernel/http/problem.ts';
import type { StoredFile } from '../file.ts';
import type { Files } from '../files.ts';
import type { Folders } from '../folders.ts';
import { readFileName } from '../names.ts';
import type { Receiver } from '../receive.ts';
import { pathFolderId } from './folder-id.ts';
import { uploadRecord, uploadRecordSchema } from './records.ts';
import { readUploadForm, type UploadForm } from './upload-form.ts';

interface UploadRoutesParts {
  database: Database;
  guard: Guard;
  files: Files;
  folders: Folders;
  receiver: Receiver;
  passwords: Passwords;
  /** Called after a file with new bytes is committed. */
  stored(file: StoredFile): void;
}

const bytes = z.string().openapi({ format: 'binary' });
const doc: Omit<EndpointDoc, 'summary' | 'body' | 'answers'> = {
  tags: ['files'],
  security: ['session', 'bearer'],
  problems: ['login_required', 'not_found', 'invalid_request', 'file_too_large', 'quota_exceeded', 'unsupported_media_type'],
};
const uploadBody = z.object({
  file: bytes,
  originalName: z.string().optional(),
  visibility: z.enum(['0', '1']).optional(),
  filePassword: z.string().optional(),
  accessKey: z.enum(['true', 'false']).optional().openapi({ description: '`true` makes one' }),
});
const replaceBody = z.object({ file: bytes, originalName: z.string().optional() });

const uploadFields = z.object({
  visibility: z.enum(['0', '1'], 'must be 0 (private) or 1 (public)').default('0'),
  filePassword: z.string().min(1, 'must not be empty').max(1024, 'must have 1024 characters at most').optional(),
  accessKey: z.enum(['true', 'false'], 'must be true or false').default('false'),
});

/** Bytes in: new files, and new bytes for old ones. */
export function mountUpload(app: App, { database, guard, files, folders, receiver, passwords, stored }: UploadRoutesParts): void {
  endpoint(
    app,
    'post',
    '/api/storage/files/{id}',
    {
      ...doc,
      summary: 'Upload a file into a folder',
      body: { 'multipart/form-data': uploadBody },
      answers: { 201: { description: 'It is stored. `Location` leads to its metadata.', schema: uploadRecordSchema } },
    },
    async (c) => {
      const { accountId } = await guard.requireAccount(c);
      const folder = await folders.find(database.read, accountId, pathFolderId(c));
      const file = await receiver.receive({ workspaceId: folder.workspaceId, freedBytes: 0, bodyBytes: bodyBytes(c) }, async (intake) => {
        const form = await readUploadForm(c, intake);
        const originalName = nameOf(form);
        const fields = checked(uploadFields, form.fields);
        const passwordHash = fields.filePassword === undefined ? null : await passwords.hash(fields.filePassword);
        return {
          hint: { mediaType: form.mediaType, fileName: originalName },
          commit: (trx, content, reservationId) =>
            files.add(trx, {
              folder,
              originalName,
              content,
              visibility: Number(fields.visibility),
              passwordHash,
              withAccessKey: fields.accessKey === 'true',
              reservationId,
            }),
        };
      });
      stored(file);
      return c.json(uploadRecord(file), 201, { Location: `/api/storage/files/${file.id}/metadata` });
    },
  );

  endpoint(
    app,
    'post',
    '/api/storage/files/{id}/replace',
    {
      ...doc,
      summary: 'Give a file other bytes',
      body: { 'multipart/form-data': replaceBody },
      answers: { 200: { description: 'They are stored. Id, tokens, password and key are as before.', schema: uploadRecordSchema } },
    },
    async (c) => {
      const { accountId } = await guard.requireAccount(c);
      const old = await files.find(database.read, accountId, pathId(c, 'id'));
      const place = { workspaceId: old.workspaceId, freedBytes: old.sizeBytes, bodyBytes: bodyBytes(c) };
      const file = await receiver.receive(place, async (intake) => {
        const form = await readUploadForm(c, intake);
        const originalName = nameOf(form, old.originalName);
        return {
          hint: { mediaType: form.mediaType, fileName: originalName },
          commit: (trx, content, reservationId) => files.replace(trx, old, { content, originalName, reservationId }),
        };
      });
      stored(file);
      return c.json(uploadRecord(file));
    },
  );
}

/** What the client says that the body has; null = it does not say. */
function bodyBytes(c: Ctx): number | null {
  const length = c.req.header('Content-Length');
  return length === undefined || c.req.header('Transfer-Encoding') !== undefined ? null : Number(length);
}

/** @throws Problem 400 when there is no name, or none that can be kept */
function nameOf({ fields, fileName }: UploadForm, fallback?: string): string {
  if (fields.originalName !== undefined) return readFileName(fields.originalName, 'originalName');
  // What a form sends when nobody chose a file.
  if (fileName === '') throw invalidField('file', 'has no name: was a file chosen?');
  if (fileName !== null) return readFileName(fileName, 'file');
  if (fallback !== undefined) return fallback;
  throw invalidField('originalName', 'is required where the file has no name of its own');
}
