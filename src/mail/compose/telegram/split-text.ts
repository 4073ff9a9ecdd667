const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * Splits `text` into pieces of at most `longest` UTF-16 units: between paragraphs, else lines, else words where that
 * fills at least half a piece, otherwise between graphemes. Joined, the pieces are `text`.
 */
export function splitPlainText(text: string, longest: number): string[] {
  const pieces: string[] = [];
  let rest = text;
  while (rest.length > longest) {
    const end = cutAt(rest, longest);
    pieces.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  return [...pieces, rest];
}

function cutAt(text: string, longest: number): number {
  const head = text.slice(0, longest);
  for (const separator of ['\n\n', '\n', ' ']) {
    const at = head.lastIndexOf(separator);
    if (at >= longest / 2) return at + separator.length;
  }
  return graphemeEnd(text, longest);
}

/** Returns the last boundary between graphemes up to `longest`; a longer grapheme is cut between code points. */
function graphemeEnd(text: string, longest: number): number {
  const from = Math.max(0, longest - 200);
  let end = 0;
  for (const { index } of graphemes.segment(text.slice(from, longest + 200))) {
    if (from + index > longest) break;
    // The window may begin inside a grapheme, so its first boundary does not count.
    if (index > 0) end = from + index;
  }
  if (end > 0) return end;
  const unit = text.charCodeAt(longest - 1);
  return unit >= 0xd800 && unit <= 0xdbff ? longest - 1 : longest;
}
