import { z } from '@hono/zod-openapi';
import { keepingBlanks } from '../../kernel/http/fields.ts';
import { guid, type Param } from '../../kernel/http/params.ts';
import { isId } from '../../kernel/ids.ts';
import { ON_CONFLICT } from '../tree/files/conflicts.ts';

const ROOT = 'root';
const schema = z.string().openapi({ description: 'GUID of a folder, or `root`', example: ROOT });

/** A folder in the path: its id, or `root`, the root of the caller's own workspace or of `workspaceQuery`. */
export const folderId: Param<string> = {
  schema,
  parse: (text) => (text.toLowerCase() === ROOT ? ROOT : guid.parse(text)),
};

/** A folder in a body. */
export const folderIdField = z
  .string()
  .toLowerCase()
  .refine((text) => text === ROOT || isId(text), 'must be the id of a folder, or root')
  .openapi({ type: 'string', description: 'GUID of a folder, or `root`', example: ROOT });

/** Where to move or copy a file, or to copy a folder. */
export const targetFields = z.object({ targetFolderId: folderIdField });

/** The workspace of a request, or of `root` in it. */
export const workspaceQuery = z.object({
  workspaceId: z
    .guid('must be a GUID')
    .toLowerCase()
    .optional()
    .openapi({ description: 'A workspace, or the workspace of `root`; the caller’s own if omitted' }),
});

/** The page of a listing of files. */
export const pageQuery = {
  limit: z.coerce.number().int().min(1).max(1000).default(1000),
  cursor: z.string().max(2000).optional().openapi({ description: 'From the `Link` of the previous page' }),
};

/** The page of a listing by time (`time-cursor.ts`). */
export const timePageQuery = {
  limit: pageQuery.limit,
  cursor: z.string().max(100).optional().openapi({ description: 'From the `Link` of the previous page' }),
};

/** The page of a listing whose cursor is the id of the last item of the previous page. */
export const idPageQuery = {
  limit: pageQuery.limit.unwrap().default(100),
  cursor: z
    .guid('must come from the Link of the previous page')
    .toLowerCase()
    .optional()
    .openapi({ description: 'From the `Link` of the previous page' }),
};

/** The visibility of a file in a form or in `Upload-Metadata`. */
export const visibilityField = z
  .enum(['0', '1'], 'must be 0 (private) or 1 (public)')
  .optional()
  .openapi({ description: '0 (private) if omitted' });

/** How to resolve a name conflict with another file in the folder. */
export const onConflictField = z
  .enum(ON_CONFLICT)
  .default('keep')
  .openapi({
    description:
      'When another file in the folder has the name: `keep` both, `rename` to “name (2).ext”, `replace` the ' +
      'bytes of the newest of them, or `fail` with 409 `name_taken`',
  });

/** A new file password. An empty one is kept, so that `isProtected` finds it. */
export const filePasswordField = keepingBlanks(
  z.string().max(1024, 'must have at most 1024 characters').optional(),
);

/** Reports whether a password is not empty; with an empty one, a file that becomes public would be unprotected. */
export function isProtected(file: { visibility?: unknown; filePassword?: unknown }): boolean {
  return file.filePassword !== '' || Number(file.visibility ?? 0) === 0;
}

export const EMPTY_PASSWORD = { path: ['filePassword'], error: 'must not be empty for a public file' };

/** Name of the visitor who sends a file through a link. */
export const uploaderNameField = z
  .string()
  .trim()
  .max(100, 'must have at most 100 characters')
  .regex(/^\P{C}*$/u, 'must not contain control characters')
  .optional()
  .openapi({ description: 'Name of the sender, shown with the files' });

const LATEST_EXPIRY = Date.UTC(9999, 0);

/** Returns the time of an `expiresAt` in milliseconds since the epoch. */
export function timeOf(expiresAt: string): number {
  return Math.min(Date.parse(expiresAt), LATEST_EXPIRY);
}

export const maxDownloadsField = z.int().min(1).max(2_147_483_647);
