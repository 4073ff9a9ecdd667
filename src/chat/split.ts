import { FENCE, readStructure, type Structure } from './structure.ts';

/** A part of a text. The `text`s of all parts, joined, are the whole text, but for blank ones, which are left out. */
export interface Piece {
  /** Opens a code block again that began in an earlier part. */
  prefix: string;
  text: string;
  /** Closes a code block that goes on in the next part. */
  suffix: string;
}

/** A break must fill at least this share of a part, so that no part is nearly empty for the sake of a paragraph. */
const FULL_ENOUGH = 0.5;

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

/**
 * Splits `text` into parts of at most `limit` UTF-16 units, fences added included: between paragraphs, else lines, else
 * words, else graphemes; never inside a mention, emoji, link, address, entity or inline code that fits into one part.
 * A code block is kept whole where it fits, else closed and opened again.
 */
export function splitText(text: string, limit: number): Piece[] {
  if (text.length <= limit) return [{ prefix: '', text, suffix: '' }];
  const structure = readStructure(text);
  const segments = graphemes.segment(text);
  const pieces: Piece[] = [];
  for (let start = 0; start < text.length; ) {
    const prefix = structure.blockAt(start)?.opening ?? '';
    const room = limit - prefix.length;
    const end = text.length - start <= room ? text.length : findBreak({ text, structure, segments, start, room });
    const part = text.slice(start, end);
    if (part.trim() !== '') pieces.push({ prefix, text: part, suffix: closing(structure, text, end) });
    start = end;
  }
  return pieces;
}

interface Search {
  text: string;
  structure: Structure;
  segments: Intl.Segments;
  start: number;
  room: number;
}

function findBreak(search: Search): number {
  const { text, structure, start, room } = search;
  const farthest = start + room;
  const block = structure.blockAt(farthest);
  if (block && block.from > start && block.to - block.from <= room) return block.from;
  return (
    lastBreak(search, (end) => isParagraphEnd(text, end) && !structure.blockAt(end)) ??
    lastBreak(search, (end) => text[end - 1] === '\n' && !structure.blockAt(end)) ??
    lastBreak(search, (end) => text[end - 1] === '\n') ??
    lastBreak(search, (end) => isSpace(text.charCodeAt(end - 1))) ??
    breakAnywhere(search)
  );
}

/** The last position that `suits`, cuts nothing, fits, and leaves the part full enough. */
function lastBreak(search: Search, suits: (end: number) => boolean): number | null {
  const { text, structure, segments, start, room } = search;
  const least = start + Math.ceil(room * FULL_ENOUGH);
  for (let end = start + room; end >= least; end--) {
    if (!suits(end) || structure.cutAt(end) !== null) continue;
    if (end - start + closing(structure, text, end).length > room) continue;
    if (segments.containing(end)?.index === end) return end;
  }
  return null;
}

/** Before the grapheme, or before the whole thing, that would be cut at the limit; inside it only where it fills a part alone. */
function breakAnywhere({ text, structure, segments, start, room }: Search): number {
  const beforeGrapheme = (position: number) => segments.containing(position)?.index ?? position;
  const farthest = start + room - (structure.blockAt(start + room) ? FENCE.length + 1 : 0);
  let end = beforeGrapheme(farthest);
  for (let cut = structure.cutAt(end); cut !== null && cut > start; cut = structure.cutAt(end)) end = beforeGrapheme(cut);
  if (end > start && structure.cutAt(end) === null) return end;
  end = beforeGrapheme(farthest);
  if (end > start) return end;
  // A single grapheme of thousands of combining marks: then at least no code point is cut.
  return isHighSurrogate(text.charCodeAt(farthest - 1)) && farthest - 1 > start ? farthest - 1 : farthest;
}

function closing(structure: Structure, text: string, end: number): string {
  if (!structure.blockAt(end)) return '';
  return text[end - 1] === '\n' ? FENCE : `\n${FENCE}`;
}

function isParagraphEnd(text: string, end: number): boolean {
  return text[end - 1] === '\n' && (text[end - 2] === '\n' || (text[end - 2] === '\r' && text[end - 3] === '\n'));
}

/** Spaces at which a line may be broken: not the no-break ones. */
function isSpace(unit: number): boolean {
  return unit === 0x20 || unit === 0x09 || unit === 0x0a || unit === 0x3000 || (unit >= 0x2000 && unit <= 0x200a && unit !== 0x2007);
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
