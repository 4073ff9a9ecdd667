import { z } from '@hono/zod-openapi';
import { timeField } from '../../../kernel/shared-fields.ts';
import { LINK_RIGHTS } from '../../links/link.ts';
import { filePasswordField, folderIdField, maxDownloadsField } from '../fields.ts';

const MAX_FILES = 1000;
const LARGEST = 2 ** 50;

/** A text of blanks is absent. */
const unlessBlank = (text: string) => text || undefined;

const accessField = z.enum(LINK_RIGHTS);
const settings = {
  access: accessField.optional().openapi({
    description: '`view` (default): visitors see the files; `upload`: they send files; `both`',
  }),
  title: z
    .string()
    .trim()
    .max(200, 'must have at most 200 characters')
    .regex(/^\P{Cc}*$/u, 'must not contain control characters')
    .transform(unlessBlank)
    .nullish(),
  message: z
    .string()
    .trim()
    .max(2000, 'must have at most 2000 characters')
    .regex(/^(?:\P{Cc}|[\n\r\t])*$/u, 'must not contain control characters')
    .transform(unlessBlank)
    .nullish(),
  expiresAt: timeField.nullish(),
  maxDownloads: maxDownloadsField
    .nullish()
    .openapi({ description: 'Maximum number of visitors who may download' }),
  maxBytes: z
    .int()
    .min(1)
    .max(LARGEST)
    .nullish()
    .openapi({ description: 'Bytes that visitors may send in total; a quarter of the quota if omitted' }),
  maxFiles: z
    .int()
    .min(1)
    .max(2_147_483_647)
    .nullish()
    .openapi({ description: 'Files that visitors may send in total; 1000 if omitted' }),
};
const target = {
  folderId: folderIdField.optional().openapi({ description: 'The folder to open, or `fileIds`' }),
  fileIds: z
    .array(z.guid('must be a GUID').toLowerCase())
    .min(1, 'must not be empty')
    .max(MAX_FILES, `must have at most ${MAX_FILES} items`)
    .optional()
    .openapi({ description: 'The files to open' }),
};

/** Reports whether a body does not name both a folder and files. */
function isOneTarget({ folderId, fileIds }: { folderId?: string; fileIds?: string[] }): boolean {
  return folderId === undefined || fileIds === undefined;
}

const TWO_TARGETS = { path: ['folderId'], error: 'must not be given together with fileIds' };

export const newLinkBody = z
  .object({ ...target, ...settings, password: filePasswordField })
  .refine(({ folderId, fileIds }) => folderId !== undefined || fileIds !== undefined, {
    path: ['folderId'],
    error: 'is required unless fileIds is given',
  })
  .refine(isOneTarget, TWO_TARGETS)
  .refine(({ password }) => password !== '', { path: ['password'], error: 'must not be empty' });

export const linkChangeBody = z
  .object({
    ...target,
    ...settings,
    password: filePasswordField
      .nullable()
      .openapi({ description: 'A new password; `null` removes the password' }),
    regenerateToken: z.boolean().optional(),
  })
  .refine(isOneTarget, TWO_TARGETS);

export type LinkFields = Pick<
  z.output<typeof linkChangeBody>,
  keyof typeof settings | keyof typeof target | 'password'
>;
