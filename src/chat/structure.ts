/** A fenced code block: ``` to ```. Positions are UTF-16 units. */
export interface CodeBlock {
  from: number;
  to: number;
  /** Start of its content. */
  content: number;
  /** The text that reopens it in another piece: the fence, the language if it has one, and a line break. */
  opening: string;
}

/** The units of a text that Discord reads as a whole, which a break should not cut. */
export interface Structure {
  /** Returns the code block around `position`; null = none. */
  blockAt(position: number): CodeBlock | null;
  /** Returns the start of the unit that a break at `position` would cut; null = it cuts none. */
  cutAt(position: number): number | null;
}

export const FENCE = '```';

// Every quantifier ends at a character that cannot begin another match, which keeps the time linear.
const WHOLE = new RegExp(
  [
    // https://discord.com/developers/docs/reference#message-formatting
    '<(?:@[!&]?|#)\\d{1,20}>',
    '<a?:\\w{1,32}:\\d{1,20}>',
    '<t:-?\\d{1,15}(?::[a-zA-Z])?>',
    '</[^<>\\n]{1,100}:\\d{1,20}>',
    '<id:\\w{1,32}>',
    '!?\\[[^[\\]\\n]{1,1000}\\]\\((?:[^()\\s]|\\([^()\\s]{0,2000}\\)){1,2000}(?:\\s"[^"\\n]{0,200}")?\\)',
    '<?https?://[^\\s<>]+>?',
    '&(?:#\\d{1,7}|#[xX][\\da-fA-F]{1,6}|[a-zA-Z][a-zA-Z\\d]{1,31});',
    '(?<!`)`[^`\\n]{1,1000}`(?!`)',
  ].join('|'),
  'g',
);

// The language ends with its line; ```text``` on one line is a block too.
const OPENING = /^```(?:[\w+.#-]{1,30}\n)?/;

export function readStructure(text: string): Structure {
  const blocks = codeBlocks(text);
  const cuts: { from: number; to: number }[] = [];
  for (const { from, to, content } of blocks) {
    const closing = content + text.slice(content, to - FENCE.length).trimEnd().length;
    // A break right behind the opening or right before the closing would leave an empty block on one side.
    cuts.push({ from, to: content + 1 }, { from: Math.max(from, closing - 1), to });
  }
  let next = 0;
  for (const match of text.matchAll(WHOLE)) {
    const from = match.index;
    for (let block = blocks[next]; block && block.from < from; block = blocks[++next]);
    // A unit that runs into a code block ends there: Discord reads the fence first.
    if (!within(blocks, from))
      cuts.push({ from, to: Math.min(from + match[0].length, blocks[next]?.from ?? text.length) });
  }
  cuts.sort((a, b) => a.from - b.from);
  return {
    blockAt: (position) => within(blocks, position),
    cutAt: (position) => within(cuts, position)?.from ?? null,
  };
}

/** Returns the span strictly around `position`. @param spans in order */
function within<Span extends { from: number; to: number }>(
  spans: readonly Span[],
  position: number,
): Span | null {
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle]?.from ?? 0) < position) low = middle + 1;
    else high = middle;
  }
  // A short span may follow a longer one that begins at the same position.
  for (const index of [low - 1, low - 2]) {
    const span = spans[index];
    if (span && span.from < position && position < span.to) return span;
  }
  return null;
}

function codeBlocks(text: string): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  for (let from = text.indexOf(FENCE); from >= 0; ) {
    const opening = OPENING.exec(text.slice(from, from + 40))?.[0] ?? FENCE;
    const content = from + opening.length;
    const close = text.indexOf(FENCE, content);
    // A fence without a closing one is plain text.
    if (close < 0) break;
    const to = close + FENCE.length;
    blocks.push({ from, to, content, opening: opening.endsWith('\n') ? opening : `${opening}\n` });
    from = text.indexOf(FENCE, to);
  }
  return blocks;
}
