import type { Reader } from '../../kernel/database/database.ts';
import { behind, blockBelow, idBefore, idsOf, lastBlock } from './blocks.ts';
import { decodeMembers, hasMember } from './members.ts';
import type { SearchPartsTable } from './tables.ts';

/** A step of a walk from the newest files to the oldest. */
export interface Step {
  /** The files that may match: those with an id between the two, or some in any order. */
  candidates: { from: string; before: string } | string[];
  /** All files with this id or a greater one have been looked at; empty = all files. */
  reached: string;
  /** Blocks that the next step reads at most. */
  blocks: number;
}

/** Groups of parts: a matching file has one part of each group. */
export type Needs = readonly (readonly string[])[];

/** Files behind the last block that a step reads. */
const FILES_AT_ONCE = 1000;
const CANDIDATES_AT_ONCE = 200;
export const FIRST_BLOCKS = 4;
const MOST_BLOCKS = 256;

/**
 * Returns the next files that may match, with ids below `before`: of the files behind the last block all, of those in
 * blocks the ones that have the parts, or may have changed since. The cost has a bound.
 * @param blocks of the step before, or `FIRST_BLOCKS`
 */
export async function nextStep(reader: Reader, needs: Needs, before: string, blocks: number): Promise<Step> {
  const last = await lastBlock(reader);
  const end = needs.length === 0 || last === null ? '' : behind(last.lastId);
  if (end === '' || before > end) return await walkFiles(reader, before, end);
  return await walkBlocks(reader, needs, { before, block: await blockBelow(reader, before), blocks });
}

async function walkFiles(reader: Reader, before: string, end: string): Promise<Step> {
  const row = await reader
    .selectFrom('files')
    .select('id')
    .where('id', '<', before)
    .where('id', '>', end)
    .orderBy('id', 'desc')
    .offset(FILES_AT_ONCE - 1)
    .limit(1)
    .executeTakeFirst();
  const reached = row?.id ?? end;
  return { candidates: { from: reached, before }, reached, blocks: FIRST_BLOCKS };
}

interface Place {
  before: string;
  /** The block to begin with. */
  block: number;
  blocks: number;
}

async function walkBlocks(reader: Reader, needs: Needs, { before, block, blocks }: Place): Promise<Step> {
  const lowest = block - blocks + 1;
  const sets = await readSets(reader, needs.flat(), { from: lowest, to: block });
  const found = new Map<number, number[]>();
  let end = lowest;
  for (let number = block, size = 0; number >= lowest && size < CANDIDATES_AT_ONCE; number--) {
    const members = intersection(needs, sets.get(number) ?? []);
    if (members.length > 0) found.set(number, members);
    size += members.length;
    end = number;
  }
  const from = behind(await idBefore(reader, end));
  const changed = await changedFiles(reader, from, before);
  // Of more changed files than are read, only those.
  const floor = changed.length === CANDIDATES_AT_ONCE ? (changed.at(-1) ?? from) : from;
  const ids = new Set([...(await idsOf(reader, found)), ...changed]);
  const candidates = [...ids].filter((id) => id >= floor && id < before).sort((a, b) => (a < b ? 1 : -1));
  const isCut = candidates.length > CANDIDATES_AT_ONCE;
  return {
    candidates: candidates.slice(0, CANDIDATES_AT_ONCE),
    reached: isCut ? (candidates[CANDIDATES_AT_ONCE - 1] ?? floor) : floor,
    blocks: end === lowest && !isCut ? Math.min(blocks * 4, MOST_BLOCKS) : FIRST_BLOCKS,
  };
}

type PartRow = Pick<SearchPartsTable, 'part' | 'members'>;

/** Returns the sets of the files with the parts, by the number of their block. */
async function readSets(
  reader: Reader,
  parts: readonly string[],
  { from, to }: { from: number; to: number },
): Promise<Map<number, PartRow[]>> {
  const rows = await reader
    .selectFrom('search_parts')
    .selectAll()
    .where('part', 'in', parts)
    .where('block', '>=', from)
    .where('block', '<=', to)
    .execute();
  return Map.groupBy(rows, ({ block }) => block);
}

/** Returns the indexes of the files of a block with a part of each group. */
function intersection(needs: Needs, rows: readonly PartRow[]): number[] {
  const sets = new Map(rows.map(({ part, members }) => [part, members]));
  const groups = needs.map((parts) => parts.flatMap((part) => sets.get(part) ?? []));
  const bytes = (group: Uint8Array[]) => group.reduce((sum, { length }) => sum + length, 0);
  const [smallest = [], ...others] = groups.sort((a, b) => bytes(a) - bytes(b));
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
