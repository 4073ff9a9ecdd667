import { sql } from 'kysely';
import { batchesOf } from '../../kernel/batches-of.ts';
import type { Database, Reader, Transaction } from '../../kernel/database/database.ts';
import { jsonTable } from '../../kernel/database/json-table.ts';
import { createTimeSlices, type GiveWay } from '../../kernel/event-loop/time-slices.ts';
import { encodeMembers } from './members.ts';
import { CURRENT_FORM, type Indexed, partsOf } from './parts.ts';

/** A block: the files whose ids follow those of the block before, up to `lastId`. */
export interface Block {
  /** From 1, in the order of the ids, without gaps. */
  number: number;
  lastId: string;
}

const ID_LENGTH = 36;
/** Number of files of a row of `search_files`. */
const CHUNK_FILES = 64;
/**
 * Maximum number of parts of a block, beyond which names are not divided. The names of 1,024 documents have some 5,000.
 */
const MAX_PARTS = 16_384;
/** Number of parts of one statement, which takes a few milliseconds. */
const ROWS_AT_ONCE = 256;
/** Maximum number of rows of `search_files` of a block. */
const CHUNKS = 1024;

/** Returns the first block after the id `after` that another version of the program has written; null = none. */
export async function outdatedBlock(reader: Reader, after: string): Promise<Block | null> {
  const row = await selectBlock(reader)
    .where('last_id', '>', after)
    .where('block', 'not in', (parts) =>
      parts.selectFrom('search_parts').select('block').where('part', '=', CURRENT_FORM),
    )
    .orderBy('last_id')
    .limit(1)
    .executeTakeFirst();
  return row ? { number: row.block, lastId: row.last_id } : null;
}

/** Returns the block of the greatest ids; null = there are no blocks. */
export async function lastBlock(reader: Reader): Promise<Block | null> {
  const row = await selectBlock(reader).orderBy('block', 'desc').limit(1).executeTakeFirst();
  return row ? { number: row.block, lastId: row.last_id } : null;
}

/** Returns the block of an id; null = none, since the id is greater than those in blocks. */
export async function blockOf(reader: Reader, id: string): Promise<Block | null> {
  const row = await selectBlock(reader)
    .where('last_id', '>=', id)
    .orderBy('last_id')
    .limit(1)
    .executeTakeFirst();
  return row ? { number: row.block, lastId: row.last_id } : null;
}

interface BlockStart {
  number: number;
  after: string;
}

/**
 * Returns the last blocks with ids below `before`, in descending order, each with the id after which it begins.
 * @param count maximum number of blocks
 */
export async function blocksBelow(reader: Reader, before: string, count: number): Promise<BlockStart[]> {
  const rows = await selectBlock(reader)
    .where('last_id', '<', before)
    .orderBy('last_id', 'desc')
    .limit(count + 1)
    .execute();
  const starts = rows.map(({ block }, at) => ({ number: block, after: rows[at + 1]?.last_id ?? '' }));
  const next = { number: (rows[0]?.block ?? 0) + 1, after: rows[0]?.last_id ?? '' };
  return (rows[0] && justAfter(rows[0].last_id) === before ? starts : [next, ...starts]).slice(0, count);
}

/** Returns an exclusive upper bound of this id and all before it; an id that cannot exist. */
export const justAfter = (id: string) => (id === '' ? '' : `${id}0`);

/** Returns the id after which a block begins. */
export async function idBefore(reader: Reader, number: number): Promise<string> {
  const row = await selectBlock(reader)
    .where('block', '<', number)
    .orderBy('block', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.last_id ?? '';
}

const selectBlock = (reader: Reader) => reader.selectFrom('search_blocks').select(['block', 'last_id']);

/**
 * Returns the ids of some files of blocks. Reads each row once: PostgreSQL would decompress it for each id again.
 * @param members their indexes, by the number of their block
 */
export async function idsOf(
  reader: Reader,
  members: ReadonlyMap<number, readonly number[]>,
): Promise<string[]> {
  const places = [...members].flatMap(([block, indexes]) =>
    indexes.map((index) => ({ chunk: chunkOf(block, index), at: (index % CHUNK_FILES) * ID_LENGTH })),
  );
  if (places.length === 0) return [];
  const rows = await reader
    .selectFrom('search_files')
    .select(['chunk', 'file_ids'])
    .where('chunk', 'in', [...new Set(places.map(({ chunk }) => chunk))])
    .execute();
  const ids = new Map(rows.map(({ chunk, file_ids }) => [chunk, file_ids]));
  return places
    .map(({ chunk, at }) => ids.get(chunk)?.slice(at, at + ID_LENGTH) ?? '')
    .filter((id) => id !== '');
}

const chunkOf = (block: number, index: number) => block * CHUNKS + Math.floor(index / CHUNK_FILES);

/** A file whose parts are written. */
export type IndexedFile = Indexed & { id: string };

/** Writes a block, in place of any with the same number. @param files in ascending order of their ids */
export async function writeBlock(
  { kind }: Pick<Database, 'kind'>,
  trx: Transaction,
  { number: block, lastId }: Block,
  files: readonly IndexedFile[],
): Promise<void> {
  const giveWay = createTimeSlices();
  await deleteParts(trx, block, giveWay);
  await trx
    .deleteFrom('search_files')
    .where('chunk', '>=', chunkOf(block, 0))
    .where('chunk', '<', chunkOf(block + 1, 0))
    .execute();
  await trx
    .insertInto('search_blocks')
    .values({ block, last_id: lastId })
    .onConflict((conflict) => conflict.column('block').doNothing())
    .execute();
  for (let at = 0; at < files.length; at += CHUNK_FILES) {
    const file_ids = files
      .slice(at, at + CHUNK_FILES)
      .map(({ id }) => id)
      .join('');
    await trx
      .insertInto('search_files')
      .values({ chunk: chunkOf(block, at), file_ids })
      .execute();
  }
  const parts = [...(await membersOf(files, giveWay))].sort(([a], [b]) => (a < b ? -1 : 1));
  const members = kind === 'postgres' ? sql`decode(hex, 'hex')` : sql`unhex(hex)`;
  for (const batch of batchesOf(parts, ROWS_AT_ONCE)) {
    await giveWay();
    const rows = batch.map(([part, indexes]) => ({
      part,
      hex: Buffer.from(encodeMembers(indexes)).toString('hex'),
    }));
    const table = jsonTable(kind, 'rows', { part: 'text', hex: 'text' }, rows);
    await sql`
      insert into search_parts (part, block, members)
      select part, cast(${block} as bigint), ${members} from ${table}`.execute(trx);
  }
}

async function deleteParts(trx: Transaction, block: number, giveWay: GiveWay): Promise<void> {
  const some = trx.selectFrom('search_parts').select('part').where('block', '=', block).limit(ROWS_AT_ONCE);
  for (let deleted = ROWS_AT_ONCE; deleted === ROWS_AT_ONCE; ) {
    await giveWay();
    const { numDeletedRows } = await trx
      .deleteFrom('search_parts')
      .where('block', '=', block)
      .where('part', 'in', some)
      .executeTakeFirstOrThrow();
    deleted = Number(numDeletedRows);
  }
}

/** Returns the indexes of the files with each part, and the form of the block, as a part of its first file. */
async function membersOf(files: readonly Indexed[], giveWay: GiveWay): Promise<Map<string, number[]>> {
  const members = new Map([[CURRENT_FORM, [0]]]);
  for (const [index, file] of files.entries()) {
    for (const part of partsOf(file, members.size < MAX_PARTS)) {
      const indexes = members.get(part);
      if (indexes) indexes.push(index);
      else members.set(part, [index]);
    }
    await giveWay();
  }
  return members;
}
