import type { GiveWay } from '../../kernel/event-loop/time-slices.ts';
import { FENCE, readStructure, type Structure } from './structure.ts';

/** A piece of a text. The `text`s of all pieces, joined, are the whole text without its blank pieces. */
export interface Piece {
  /** Reopens a code block that began in an earlier piece. */
  prefix: string;
  text: string;
  /** Closes a code block that continues in the next piece. */
  suffix: string;
}

/** Minimum share of the limit that a piece fills if it ends at a paragraph, line or word. */
const FULL_ENOUGH = 0.5;

const LINE_FEED = 0x0a;
const RETURN = 0x0d;

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

/**
 * Splits `text` into pieces of at most `limit` UTF-16 units, added fences included: between paragraphs, else lines,
 * else words, else graphemes; never inside a mention, emoji, link, address, entity or inline code that fits into one
 * piece. A code block stays whole if it fits, else it is closed and reopened.
 */
export function splitText(text: string, limit: number): Piece[] {
  return Array.from(piecesOf(text, limit)).filter((piece) => piece !== null);
}

/** Length up to which a text is split in less than one time slice. */
const SHORT = 32_768;

/** Splits as `splitText` does, in time slices: a text of a megabyte takes tens of milliseconds. */
export async function splitInSlices(text: string, limit: number, giveWay: GiveWay): Promise<Piece[]> {
  if (text.length <= SHORT) return splitText(text, limit);
  const pieces: Piece[] = [];
  for (const piece of piecesOf(text, limit)) {
    if (piece) pieces.push(piece);
    await giveWay();
  }
  return pieces;
}

/** Returns the pieces, and null for blank ones. */
function* piecesOf(text: string, limit: number): Generator<Piece | null, void, undefined> {
  if (text.length <= limit) {
    yield { prefix: '', text, suffix: '' };
    return;
  }
  const structure = readStructure(text, limit);
  for (let start = 0; start < text.length; ) {
    const prefix = structure.blockAt(start)?.opening ?? '';
    const room = limit - prefix.length;
    const end =
      text.length - start <= room
        ? text.length
        : findBreak({ text, structure, graphemeAt: graphemesOf(text, start, room), start, room });
    const piece = text.slice(start, end);
    yield piece.trim() === '' ? null : { prefix, text: piece, suffix: closing(structure, text, end) };
    start = end;
  }
}

interface Search {
  text: string;
  structure: Structure;
  /** Returns the start of the grapheme at a position. */
  graphemeAt(position: number): number;
  start: number;
  room: number;
}

/**
 * Finds the graphemes of one piece only: to find a boundary in a run of flag emoji, the segmenter reads the run from
 * its start, since a flag is a pair of characters of one kind.
 */
function graphemesOf(text: string, start: number, room: number): Search['graphemeAt'] {
  // Includes the character at the limit, which may be two units.
  const segments = graphemes.segment(text.slice(start, start + room + 2));
  return (position) => start + (segments.containing(position - start)?.index ?? position - start);
}

function findBreak(search: Search): number {
  const { text, structure, start, room } = search;
  const farthest = start + room;
  const block = structure.blockAt(farthest);
  if (block && block.from > start && block.to - block.from <= room) return block.from;
  const hasLines = text.slice(start + room * FULL_ENOUGH - 1, farthest).includes('\n');
  return (
    (hasLines ? breakAtLine(search) : null) ??
    lastBreak(search, (end) => isSpace(text.charCodeAt(end - 1))) ??
    breakAnywhere(search)
  );
}

function breakAtLine(search: Search): number | null {
  const { text, structure } = search;
  return (
    lastBreak(search, (end) => isParagraphEnd(text, end) && !structure.blockAt(end)) ??
    lastBreak(search, (end) => isLineEnd(text, end) && !structure.blockAt(end)) ??
    lastBreak(search, (end) => isLineEnd(text, end))
  );
}

/**
 * Returns the last position that `suits` accepts, that cuts no token, and that fills enough of the piece; null = none.
 */
function lastBreak(search: Search, suits: (end: number) => boolean): number | null {
  const { text, structure, graphemeAt, start, room } = search;
  const least = start + room * FULL_ENOUGH;
  for (let end = start + room; end >= least; end--) {
    if (!suits(end) || structure.cutAt(end) !== null || isInWholeBlock(search, end)) continue;
    if (end - start + closing(structure, text, end).length > room) continue;
    if (graphemeAt(end) === end) return end;
  }
  return null;
}

/** Reports whether a break at `end` would split a code block that begins in this piece and fits into one. */
function isInWholeBlock({ structure, start, room }: Search, end: number): boolean {
  const block = structure.blockAt(end);
  return block !== null && block.from >= start && block.to - block.from <= room;
}

/** Returns the start of the grapheme or token at the limit, or a position inside it if it alone fills a piece. */
function breakAnywhere({ text, structure, graphemeAt, start, room }: Search): number {
  const farthest = start + room - (structure.blockAt(start + room) ? FENCE.length + 1 : 0);
  let end = graphemeAt(farthest);
  for (let cut = structure.cutAt(end); cut !== null && cut > start; cut = structure.cutAt(end))
    end = graphemeAt(cut);
  if (end > start && structure.cutAt(end) === null) return end;
  end = graphemeAt(farthest);
  if (end > start) return end;
  // Cuts a single grapheme of thousands of combining marks, but no code point.
  return isHighSurrogate(text.charCodeAt(farthest - 1)) && farthest - 1 > start ? farthest - 1 : farthest;
}

function closing(structure: Structure, text: string, end: number): string {
  if (!structure.blockAt(end)) return '';
  return text[end - 1] === '\n' ? FENCE : `\n${FENCE}`;
}

// Compares codes: `text[i]` allocates a string for each character beyond Latin-1.
function isParagraphEnd(text: string, end: number): boolean {
  return isLineEnd(text, end) && isLineEnd(text, text.charCodeAt(end - 2) === RETURN ? end - 2 : end - 1);
}

function isLineEnd(text: string, end: number): boolean {
  return text.charCodeAt(end - 1) === LINE_FEED;
}

/** Reports whether a line may break at the character: a space other than the no-break ones. */
function isSpace(unit: number): boolean {
  return (
    unit === 0x20 || unit === 0x09 || unit === 0x3000 || (unit >= 0x2000 && unit <= 0x200a && unit !== 0x2007)
  );
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
