/** A fenced code block: ``` to ```. */
export interface CodeBlock {
  from: number;
  to: number;
  /** Where its content begins. */
  content: number;
  /** What opens it again in another part: the fence, the language where there is one, and a line break. */
  opening: string;
}

/** Where a text may be broken without breaking what Discord would read as one thing. */
export interface Structure {
  /** The code block that `position` is inside of; null = none. */
  blockAt(position: number): CodeBlock | null;
  /** The first position of the thing that a break at `position` would cut; null = it cuts none. */
  cutAt(position: number): number | null;
}

export const FENCE = '```';

// Every quantifier ends at a character that cannot begin another match, so that the time stays linear.
const WHOLE = new RegExp(
  [
    // https://discord.com/developers/docs/reference#message-formatting
    '<(?:@[!&]?|#)\\d{1,20}>',
    '<a?:\\w{1,32}:\\d{1,20}>',
    '<t:-?\\d{1,15}(?::[a-zA-Z])?>',
    '</[^<>\\n]{1,100}:\\d{1,20}>',
    '<id:\\w{1,32}>',
    '!?\\[[^[\\]\\n]{1,1000}\\]\\((?:[^()\\s]|\\([^()\\s]*\\))+(?:\\s"[^"\\n]{0,200}")?\\)',
    '<?https?://[^\\s<>]+>?',
    '&(?:#\\d{1,7}|#[xX][\\da-fA-F]{1,6}|[a-zA-Z][a-zA-Z\\d]{1,31});',
    '(?<!`)`[^`\\n]{1,1000}`(?!`)',
  ].join('|'),
  'g',
);

// The language ends with its line; ```text``` on one line is a block as well.
const OPENING = /^```(?:[\w+.#-]{1,30}\n)?/;

export function readStructure(text: string): Structure {
  const blocks = codeBlocks(text);
  const cuts: { from: number; to: number }[] = [];
  for (const { from, to, content } of blocks) {
    const closing = content + text.slice(content, to - FENCE.length).trimEnd().length;
    // An empty block would be left on one side of a break right behind the opening or right before the closing.
    cuts.push({ from, to: content + 1 }, { from: Math.max(from, closing - 1), to });
  }
  let next = 0;
  for (const match of text.matchAll(WHOLE)) {
    const from = match.index;
    for (let block = blocks[next]; block && block.from < from; block = blocks[++next]);
    // What runs into a code block ends there: the fence is what Discord reads.
    if (!within(blocks, from)) cuts.push({ from, to: Math.min(from + match[0].length, blocks[next]?.from ?? text.length) });
  }
  cuts.sort((a, b) => a.from - b.from);
  return {
    blockAt: (position) => within(blocks, position),
    cutAt: (position) => within(cuts, position)?.from ?? null,
  };
}

/** What lies strictly around `position`, of spans that are in order. */
function within<Span extends { from: number; to: number }>(spans: readonly Span[], position: number): Span | null {
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle]?.from ?? 0) < position) low = middle + 1;
    else high = middle;
  }
  // A short span may stand behind a longer one that begins with it.
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
    // A fence that nothing closes is plain text.
    if (close < 0) break;
    const to = close + FENCE.length;
    blocks.push({ from, to, content, opening: opening.endsWith('\n') ? opening : `${opening}\n` });
    from = text.indexOf(FENCE, to);
  }
  return blocks;
}
