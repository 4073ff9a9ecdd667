import { sql } from 'kysely';
import { MINUTE } from '../../kernel/clock.ts';
import type { Database, Reader, Transaction } from '../../kernel/database/database.ts';
import { readNow } from '../../kernel/database/now.ts';
import { firstIdAt } from '../../kernel/ids.ts';
import {
  type Block,
  blockOf,
  type IndexedFile,
  idBefore,
  lastBlock,
  outdatedBlock,
  writeBlock,
} from './blocks.ts';

/** Number of files of a new block. The search reads files after the last block one by one. */
export const BLOCK_FILES = 1024;
/**
 * A transaction that adds a file ends within this time of the creation of the file's id. Triggers record the files
 * whose ids are half as old when they are added (`OLD_IDS`).
 */
const SETTLED_MS = MINUTE;

/** Keeps the blocks of the search up to date. */
export interface Indexer {
  /** Adds blocks of new files, and rewrites those with changed files. Call it on one node at a time. */
  catchUp(): Promise<void>;
}

export function createIndexer(database: Database): Indexer {
  return {
    async catchUp() {
      const step = async <Result>(work: (trx: Transaction) => Promise<Result>) => {
        const started = performance.now();
        const result = await database.transaction(work);
        // Pauses as long as the block took, so that requests are served meanwhile.
        if (result !== null) await Bun.sleep(performance.now() - started);
        return result;
      };
      const end = firstIdAt((await readNow(database, database.read)) - SETTLED_MS);
      while ((await step((trx) => addBlock(trx, database, end))) !== null);
      for (let done: string | null = ''; done !== null; ) {
        const after: string = done;
        done = await step((trx) => renewBlock(trx, database, after));
      }
    },
  };
}

/** Adds a block of the next files with ids below `end`; returns its last id, or null when there are too few. */
async function addBlock(trx: Transaction, database: Database, end: string): Promise<string | null> {
  const last = await lastBlock(trx);
  const after = last?.lastId ?? '';
  const [row] = await trx
    .selectFrom('files')
    .select('id')
    .where('id', '>', after)
    .where('id', '<', end)
    .orderBy('id')
    .offset(BLOCK_FILES - 1)
    .limit(1)
    .execute();
  if (!row) return null;
  await write(trx, database, { number: (last?.number ?? 0) + 1, lastId: row.id }, after);
  return row.id;
}

/** Rewrites the next block with changed files, or of another form. Returns its last id; null = none is left. */
async function renewBlock(trx: Transaction, database: Database, after: string): Promise<string | null> {
  const blocks = [await changedBlock(trx, after), await outdatedBlock(trx, after)].filter(
    (block) => block !== null,
  );
  const [block] = blocks.sort((a, b) => a.number - b.number);
  if (!block) return null;
  await write(trx, database, block, await idBefore(trx, block.number));
  return block.lastId;
}

async function changedBlock(reader: Reader, after: string): Promise<Block | null> {
  const last = await lastBlock(reader);
  if (!last) return null;
  const change = await reader
    .selectFrom('search_changes')
    .select('file_id')
    .where('file_id', '>', after)
    .where('file_id', '<=', last.lastId)
    .orderBy('file_id')
    .limit(1)
    .executeTakeFirst();
  return change ? await blockOf(reader, change.file_id) : null;
}

async function write(trx: Transaction, database: Database, block: Block, after: string): Promise<void> {
  await takeChanges(trx, database, after, block.lastId);
  await writeBlock(database, trx, block, await filesBetween(trx, after, block.lastId));
}

/**
 * Deletes the records of changes before the files are read. Those of transactions under way stay, and cause another
 * run.
 */
async function takeChanges(trx: Transaction, { kind }: Database, after: string, lastId: string) {
  const lock = kind === 'postgres' ? sql`for update skip locked` : sql``;
  await sql`
    delete from search_changes where file_id in (
      select file_id from search_changes where file_id > ${after} and file_id <= ${lastId} ${lock})`.execute(
    trx,
  );
}

/** Returns the files with an id up to `lastId`, without those in the trash. */
async function filesBetween(reader: Reader, after: string, lastId: string): Promise<IndexedFile[]> {
  return await reader
    .selectFrom('files')
    .select(['id', 'name_key', 'mime_type', 'workspace_id'])
    .where('id', '>', after)
    .where('id', '<=', lastId)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute();
}
