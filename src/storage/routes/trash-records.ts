import { z } from '@hono/zod-openapi';
import { DAY, isoTime } from '../../kernel/clock.ts';
import type { TrashEntry } from '../tree/trash/list.ts';
import { listItem, listItemSchema, type Names } from './records.ts';

const entryFields = z.object({
  id: z.uuid().openapi({ description: 'Id of the file or folder' }),
  name: z.string(),
  path: z
    .string()
    .openapi({ description: 'Former place: the names of the folders', example: 'photos / Street' }),
  sizeBytes: z.int(),
  fileCount: z.int(),
  dateDeleted: z.iso.datetime(),
  dateErased: z.iso.datetime().openapi({ description: 'Time until which it can be restored' }),
  deletedBy: z.string().nullable().openapi({
    description: 'Name of the member who deleted it; shared workspaces only',
  }),
});

/** An entry of the trash, as in responses. */
export const trashEntrySchema = z
  .discriminatedUnion('kind', [
    listItemSchema.extend(entryFields.shape).extend({ kind: z.literal('file') }),
    entryFields.extend({ kind: z.literal('folder') }),
  ])
  .openapi('TrashEntry');

/**
 * Returns the record of an entry of the trash.
 * @param names of members
 * @param trashDays number of days in which an entry can be restored
 */
export function trashEntryRecord(
  each: TrashEntry,
  names: Names,
  trashDays: number,
): z.infer<typeof trashEntrySchema> {
  const { id, name, path, sizeBytes, fileCount, deletedAt, deletedBy, file } = each;
  const common = {
    id,
    name,
    path: path.join(' / '),
    sizeBytes,
    fileCount,
    dateDeleted: isoTime(deletedAt),
    dateErased: isoTime(deletedAt + trashDays * DAY),
    deletedBy: names.get(deletedBy ?? '') ?? null,
  };
  return file ? { ...listItem(file, names), ...common, kind: 'file' } : { ...common, kind: 'folder' };
}
