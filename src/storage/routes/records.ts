import { z } from '@hono/zod-openapi';
import { hexOf } from '../../kernel/bytes.ts';
import { isoTime, MINUTE, SECOND } from '../../kernel/clock.ts';
import type { MediaFacts, StoredFile } from '../tree/files/file.ts';
import type { Folder } from '../tree/folders/folder.ts';
import { ROLES } from '../tree/member.ts';
import type { Workspace } from '../tree/workspaces.ts';

const time = z.iso.datetime();

/** Response to an upload. The capitalized names are part of the published API. */
export const uploadRecordSchema = z
  .object({
    Id: z.uuid(),
    OriginalName: z.string(),
    SizeBytes: z.int(),
    MimeType: z.string(),
    Visibility: z.int(),
    DateCreated: time,
    ThumbnailPath: z.string().nullable(),
    HasFilePassword: z.boolean(),
    HasAccessKey: z.boolean(),
  })
  .openapi('UploadRecord');

const pixels = z
  .int()
  .optional()
  .openapi({ description: 'Pixels after rotation; only for analyzed pictures and videos' });
/** Facts read from the bytes of a file. */
export const factFields = {
  width: pixels,
  height: pixels,
  takenAt: z.string().optional().openapi({
    description:
      'Time at which the picture was taken, by the clock of the camera; with the offset from UTC if known',
    example: '2019-07-04T12:34:56+02:00',
  }),
  camera: z.string().optional().openapi({ description: 'Maker and model' }),
  durationSeconds: z.number().optional().openapi({ description: 'Only for analyzed audio and video' }),
};

export const listItemSchema = z
  .object({
    id: z.uuid(),
    originalName: z.string(),
    sizeBytes: z.int(),
    mimeType: z.string(),
    visibility: z.int(),
    dateCreated: time,
    thumbnailPath: z.string().nullable(),
    hasFilePassword: z.boolean(),
    hasAccessKey: z.boolean(),
    folderId: z.uuid(),
    workspaceId: z.uuid(),
    dateModified: time,
    sha256: z.string().openapi({ description: 'SHA-256 of the content, 64 hexadecimal digits' }),
    expiresAt: time.nullable(),
    maxDownloads: z.int().nullable(),
    sharedBy: z.string().nullable().openapi({ description: 'Name of the sender on its page' }),
    downloadCount: z.int(),
    ...factFields,
    createdBy: z
      .string()
      .optional()
      .openapi({ description: 'Name of the member who uploaded it; shared workspaces only' }),
    sender: z
      .string()
      .optional()
      .openapi({ description: 'Name the visitor entered; only for files sent through a link' }),
    modifiedBy: z
      .string()
      .optional()
      .openapi({ description: 'Name of the member who last changed it; shared workspaces only' }),
  })
  .openapi('FileListItem');

const token = (path: string) =>
  z
    .string()
    .optional()
    .openapi({
      description:
        `For ${path}/{token}, which is 404 until the file is public (\`visibility\` 1) or has an access key ` +
        'that the request sends. Absent for viewers.',
    });

export const metadataSchema = listItemSchema
  .extend({
    accessKeyPlain: z.string().optional().openapi({ description: 'Only when the file has a key' }),
    directToken: token('/api/storage/public/media'),
    uiToken: token('/public/file'),
  })
  .openapi('FileMetadata');

export const folderSchema = z
  .object({
    id: z.uuid(),
    name: z.string(),
    parentFolderId: z.uuid().nullable(),
    workspaceId: z.uuid(),
    dateCreated: time,
  })
  .openapi('Folder');

export const workspaceUsage = z.object({ usedBytes: z.int(), maxBytes: z.int() });

export const workspaceSchema = z
  .object({
    id: z.uuid(),
    name: z.string(),
    personal: z.boolean(),
    role: z.enum(ROLES).openapi({ description: '`manager` in a personal workspace' }),
    rootFolderId: z.uuid(),
    ...workspaceUsage.shape,
    dateErased: time
      .optional()
      .openapi({ description: 'Time until which it can be restored; deleted workspaces only' }),
  })
  .openapi('Workspace');

export function workspaceRecord({ dateErased, ...workspace }: Workspace): z.infer<typeof workspaceSchema> {
  return { ...workspace, ...(dateErased === null ? {} : { dateErased: isoTime(dateErased) }) };
}

export function uploadRecord(file: StoredFile): z.infer<typeof uploadRecordSchema> {
  return {
    Id: file.id,
    OriginalName: file.originalName,
    SizeBytes: file.sizeBytes,
    MimeType: file.mimeType,
    Visibility: file.visibility,
    DateCreated: isoTime(file.dateCreated),
    ThumbnailPath: thumbnailPath(file),
    HasFilePassword: file.passwordHash !== null,
    HasAccessKey: file.accessKey !== null,
  };
}

/** Names of members by id. */
export type Names = ReadonlyMap<string, string>;

/** Returns the item of a listing. It contains no tokens or keys. */
export function listItem(file: StoredFile, names: Names): z.infer<typeof listItemSchema> {
  return {
    id: file.id,
    originalName: file.originalName,
    sizeBytes: file.sizeBytes,
    mimeType: file.mimeType,
    visibility: file.visibility,
    dateCreated: isoTime(file.dateCreated),
    thumbnailPath: thumbnailPath(file),
    hasFilePassword: file.passwordHash !== null,
    hasAccessKey: file.accessKey !== null,
    folderId: file.folderId,
    workspaceId: file.workspaceId,
    dateModified: isoTime(file.dateModified),
    sha256: hexOf(file.sha256),
    expiresAt: file.expiresAt === null ? null : isoTime(file.expiresAt),
    maxDownloads: file.maxDownloads,
    sharedBy: file.sharedBy,
    downloadCount: file.downloadCount,
    ...factsRecord(file.facts),
    createdBy: names.get(file.createdBy ?? ''),
    sender: file.sender ?? undefined,
    modifiedBy: names.get(file.modifiedBy ?? ''),
  };
}

/** Returns the facts that are known. */
export function factsRecord(facts: MediaFacts): Partial<z.infer<typeof listItemSchema>> {
  const { width, height, camera, durationMs } = facts;
  const takenAt = takenTime(facts);
  return {
    ...(width && height && { width, height }),
    ...(takenAt && { takenAt }),
    ...(camera && { camera }),
    ...(durationMs && { durationSeconds: durationMs / SECOND }),
  };
}

/** Returns the camera's local time in ISO 8601, with its offset from UTC where one is known. */
function takenTime({ takenAt, takenOffset }: MediaFacts): string | null {
  if (takenAt === null) return null;
  const local = new Date(takenAt).toISOString().slice(0, 19);
  if (takenOffset === null) return local;
  const offset = new Date(Math.abs(takenOffset) * MINUTE).toISOString().slice(11, 16);
  return `${local}${takenOffset < 0 ? '-' : '+'}${offset}`;
}

/** @param accessKey the plain one; null = the file has none */
export function metadata(
  file: StoredFile,
  accessKey: string | null,
  names: Names,
): z.infer<typeof metadataSchema> {
  return {
    ...listItem(file, names),
    ...(accessKey === null ? {} : { accessKeyPlain: accessKey }),
    directToken: file.directToken,
    uiToken: file.uiToken,
  };
}

export function folderRecord(folder: Folder): z.infer<typeof folderSchema> {
  return {
    id: folder.id,
    name: folder.name,
    parentFolderId: folder.parentId,
    workspaceId: folder.workspaceId,
    dateCreated: isoTime(folder.dateCreated),
  };
}

/** Returns the path even before the thumbnail is rendered: a request for it waits. */
function thumbnailPath({ id, thumbnail: { state } }: StoredFile): string | null {
  return state === 'made' || state === 'pending' ? `/api/storage/files/${id}/thumbnail` : null;
}
