import { sql } from 'kysely';
import type { Database, Reader } from '../../kernel/database/database.ts';
import { blocksBelow, idsOf, justAfter, lastBlock } from './blocks.ts';
import { decodeMembers, hasMember } from './members.ts';
import type { SearchPartsTable } from './tables.ts';

/** The position of a walk from the newest files to the oldest. */
export interface WalkPosition {
  /** Files with this id or a greater one have been examined; empty = all files. */
  before: string;
  /** Files with a smaller id are in blocks. */
  blocksEnd: string;
  /** Maximum number of blocks that the next step reads. */
  blocks: number;
}

export interface Step {
  /** The files that may match: a range of ids, or a list of some. */
  candidates: { from: string; before: string } | string[];
  next: WalkPosition;
}

/** Groups of parts: a matching file has at least one part of each group. */
export type Needs = readonly (readonly string[])[];

/** Number of files after the last block that a step reads. */
const FILES_AT_ONCE = 1000;
const CANDIDATES_AT_ONCE = 200;
const FIRST_BLOCKS = 8;
const MAX_BLOCKS = 256;
/** Factor by which the number of blocks grows after a step with few candidates. */
const GROWTH = 8;

/** Returns the place at which a walk over the files with ids below `before` begins. */
export async function beginWalk(reader: Reader, needs: Needs, before: string): Promise<WalkPosition> {
  const last = needs.length === 0 ? null : await lastBlock(reader);
  return { before, blocksEnd: last ? justAfter(last.lastId) : '', blocks: FIRST_BLOCKS };
}

/**
 * Returns the next files that may match: all files after the last block, and those in blocks that have the parts, or
 * have changed since. The cost is bounded.
 */
export async function nextStep(database: Database, needs: Needs, place: WalkPosition): Promise<Step> {
  if (place.before > place.blocksEnd) return await walkFiles(database.read, place);
  return await walkBlocks(database, needs, place);
}

async function walkFiles(reader: Reader, place: WalkPosition): Promise<Step> {
  const row = await reader
    .selectFrom('files')
    .select('id')
    .where('id', '<', place.before)
    .where('id', '>', place.blocksEnd)
    .orderBy('id', 'desc')
    .offset(FILES_AT_ONCE - 1)
    .limit(1)
    .executeTakeFirst();
  const from = row?.id ?? place.blocksEnd;
  return { candidates: { from, before: place.before }, next: { ...place, before: from } };
}

async function walkBlocks(database: Database, needs: Needs, place: WalkPosition): Promise<Step> {
  const { read } = database;
  const { before, blocks } = place;
  const starts = await blocksBelow(read, before, blocks);
  const lowest = starts.at(-1);
  if (!lowest) return { candidates: [], next: { ...place, before: '' } };
  const [sets, changes] = await Promise.all([
    readSets(database, needs.flat(), { from: lowest.number, to: lowest.number + starts.length - 1 }),
    changedFiles(read, justAfter(lowest.after), before),
  ]);
  const members = membersIn(starts, needs, sets);
  const used = members.size;
  const last = starts[used - 1] ?? lowest;
  const from = justAfter(last.after);
  // If there are more changed files than are read, the step ends at the last one read.
  const floor = [from, changes[CANDIDATES_AT_ONCE - 1] ?? from].sort()[1] ?? from;
  const ids = new Set([...(await idsOf(read, members)), ...changes]);
  const candidates = [...ids].filter((id) => id >= floor && id < before).sort((a, b) => (a < b ? 1 : -1));
  const isCut = candidates.length > CANDIDATES_AT_ONCE;
  return {
    candidates: candidates.slice(0, CANDIDATES_AT_ONCE),
    next: {
      ...place,
      before: isCut ? (candidates[CANDIDATES_AT_ONCE - 1] ?? floor) : floor,
      blocks:
        last === lowest && !isCut ? Math.min(blocks * GROWTH, MAX_BLOCKS) : Math.max(used, FIRST_BLOCKS),
    },
  };
}

/** Sets of the files with a part, as hexadecimal digits, by their block. */
type Sets = ReadonlyMap<SearchPartsTable['block'], string>;

/**
 * Returns the sets of the files with the parts, in blocks. Each part is one row, since several hundred rows take longer
 * to receive than the rest of a step.
 */
async function readSets(
  { kind, read }: Database,
  parts: readonly string[],
  { from, to }: { from: number; to: number },
): Promise<Map<string, Sets>> {
  const digits = kind === 'postgres' ? sql`encode(members, 'hex')` : sql`hex(members)`;
  const rows = await read
    .selectFrom('search_parts')
    .select(['part', sql<string>`string_agg(block || ' ' || ${digits}, ',')`.as('sets')])
    .where('part', 'in', parts)
    .where('block', '>=', from)
    .where('block', '<=', to)
    .groupBy('part')
    .execute();
  const setIn = (text: string): [number, string] => {
    const at = text.indexOf(' ');
    return [Number(text.slice(0, at)), text.slice(at + 1)];
  };
  return new Map(rows.map(({ part, sets }) => [part, new Map(sets.split(',').map(setIn))]));
}

/** Returns the matching files of blocks, in their order, until there are enough: their indexes by block. */
function membersIn(
  blocks: readonly { number: number }[],
  needs: Needs,
  sets: ReadonlyMap<string, Sets>,
): Map<number, number[]> {
  const members = new Map<number, number[]>();
  let size = 0;
  for (const { number } of blocks) {
    if (size >= CANDIDATES_AT_ONCE) break;
    const indexes = intersection(needs, sets, number);
    members.set(number, indexes);
    size += indexes.length;
  }
  return members;
}

/** Returns the indexes of the files of a block with a part of each group. */
function intersection(needs: Needs, sets: ReadonlyMap<string, Sets>, block: number): number[] {
  const groups = needs.map((parts) => parts.flatMap((part) => sets.get(part)?.get(block) ?? []));
  if (groups.some(({ length }) => length === 0)) return [];
  const bytes = groups.map((group) => group.map((digits) => Buffer.from(digits, 'hex')));
  const size = (group: Uint8Array[]) => group.reduce((sum, { length }) => sum + length, 0);
  const [smallest = [], ...others] = bytes.sort((a, b) => size(a) - size(b));
  return smallest
    .flatMap(decodeMembers)
    .filter((index) => others.every((group) => group.some((set) => hasMember(set, index))));
}

async function changedFiles(reader: Reader, from: string, before: string): Promise<string[]> {
  const rows = await reader
    .selectFrom('search_changes')
    .select('file_id')
    .where('file_id', '>=', from)
    .where('file_id', '<', before)
    .orderBy('file_id', 'desc')
    .limit(CANDIDATES_AT_ONCE)
    .execute();
  return rows.map(({ file_id }) => file_id);
}
