import { z } from '@hono/zod-openapi';
import { isoTime } from '../../../kernel/clock.ts';
import { type FoundLink, LINK_RIGHTS } from '../../links/link.ts';
import { DEFAULT_MAX_FILES, maxBytesOf } from '../../links/upload-limits.ts';
import type { StoredFile } from '../../tree/files/file.ts';
import { listItem, listItemSchema, type Names } from '../records.ts';

const time = z.iso.datetime();

export const linkSchema = z
  .object({
    id: z.uuid(),
    kind: z.enum(['folder', 'files']).openapi({ description: 'Opens a folder, or chosen files' }),
    workspaceId: z.uuid(),
    token: z.string(),
    url: z.string().openapi({ description: 'Address of its page' }),
    folderId: z.uuid().nullable().openapi({ description: 'Null for chosen files' }),
    name: z
      .string()
      .nullable()
      .openapi({ description: 'Name of its folder; null for chosen files, and while the folder is deleted' }),
    fileCount: z.int().openapi({ description: 'Number of chosen files; 0 for a folder' }),
    access: z.enum(LINK_RIGHTS),
    title: z.string().nullable(),
    message: z.string().nullable(),
    hasPassword: z.boolean(),
    expiresAt: time.nullable(),
    maxDownloads: z.int().nullable().openapi({ description: 'Maximum number of visitors who may download' }),
    downloadCount: z.int().openapi({ description: 'Number of visitors who downloaded' }),
    maxBytes: z
      .int()
      .nullable()
      .openapi({ description: 'Bytes that visitors may send in total; null if they may send none' }),
    maxFiles: z
      .int()
      .nullable()
      .openapi({ description: 'Files that visitors may send in total; null if they may send none' }),
    uploadCount: z.int(),
    uploadedBytes: z.int(),
    createdBy: z
      .string()
      .optional()
      .openapi({ description: 'Name of the member who created it; shared workspaces only' }),
    dateCreated: time,
  })
  .openapi('FolderLink');

const fileLinkSchema = listItemSchema
  .extend({
    kind: z.literal('file'),
    token: z.string().openapi({ description: 'UI token of the file' }),
    url: z.string().openapi({ description: 'Address of its page' }),
    hasPassword: z.boolean(),
  })
  .openapi('FileLink');

/** Everything of a workspace that others can open. */
export const sharedLinkSchema = z
  .discriminatedUnion('kind', [fileLinkSchema, linkSchema])
  .openapi('SharedLink');

export interface LinkRecordOptions {
  /** Public URL of this server, without a slash at the end. */
  publicUrl: string;
  /** Default quota of a workspace. */
  workspaceBytes: number;
}

export function linkRecord(
  link: FoundLink,
  names: Names,
  { publicUrl, workspaceBytes }: LinkRecordOptions,
): z.infer<typeof linkSchema> {
  const takesFiles = link.access !== 'view';
  return {
    id: link.id,
    kind: link.folderId === null ? 'files' : 'folder',
    workspaceId: link.workspaceId,
    token: link.token,
    url: `${publicUrl}/public/folder/${link.token}`,
    folderId: link.folderId,
    name: link.folderName,
    fileCount: link.fileCount,
    access: link.access,
    title: link.title,
    message: link.message,
    hasPassword: link.passwordHash !== null,
    expiresAt: link.expiresAt === null ? null : isoTime(link.expiresAt),
    maxDownloads: link.maxDownloads,
    downloadCount: link.downloadCount,
    maxBytes: takesFiles ? maxBytesOf(link, workspaceBytes) : null,
    maxFiles: takesFiles ? (link.maxFiles ?? DEFAULT_MAX_FILES) : null,
    uploadCount: link.uploadCount,
    uploadedBytes: link.uploadedBytes,
    createdBy: names.get(link.createdBy ?? ''),
    dateCreated: isoTime(link.dateCreated),
  };
}

export function fileLinkRecord(
  file: StoredFile,
  names: Names,
  { publicUrl }: Pick<LinkRecordOptions, 'publicUrl'>,
): z.infer<typeof fileLinkSchema> {
  return {
    kind: 'file',
    token: file.uiToken,
    url: `${publicUrl}/public/file/${file.uiToken}`,
    hasPassword: file.passwordHash !== null,
    ...listItem(file, names),
  };
}
