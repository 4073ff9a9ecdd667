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

/** Characters that are read at once, since a long text may have many units. */
const READ_AT_ONCE = 8_192;

/**
 * Reads the structure of a text, each part of it at the first look-up of a position in it.
 * @param longest length up to which units are recognized: longer ones have to be cut anyway
 */
export function readStructure(text: string, longest: number): Structure {
  const readBlock = blockReader(text);
  const nextUnit = unitReader(text, longest);
  const blocks: CodeBlock[] = [];
  const cuts: Span[] = [];
  let read = 0;
  /** Number of blocks whose cuts are known. */
  let cutBlocks = 0;

  function cutBlocksBefore(position: number): void {
    for (let block = blocks[cutBlocks]; block && block.from < position; block = blocks[++cutBlocks])
      addEdges(cuts, text, block);
  }

  function readOn(): void {
    read += READ_AT_ONCE;
    for (let block = readBlock(read + longest); block; block = readBlock(read + longest)) blocks.push(block);
    for (let unit = nextUnit(read); unit; unit = nextUnit(read)) {
      cutBlocksBefore(unit.from);
      // A unit that runs into a code block ends there: Discord reads the fence first.
      const to = Math.min(unit.to, blocks[cutBlocks]?.from ?? unit.to);
      if (!within(blocks, unit.from)) cuts.push({ from: unit.from, to });
    }
    cutBlocksBefore(read);
  }

  function at<Each extends Span>(spans: readonly Each[], position: number): Each | null {
    while (read < position) readOn();
    return within(spans, position);
  }

  return {
    blockAt: (position) => at(blocks, position),
    cutAt: (position) => at(cuts, position)?.from ?? null,
  };
}

interface Span {
  from: number;
  to: number;
}

/** A break right behind the opening or right before the closing would leave an empty block on one side. */
function addEdges(cuts: Span[], text: string, { from, to, content }: CodeBlock): void {
  const closing = content + text.slice(content, to - FENCE.length).trimEnd().length;
  cuts.push({ from, to: content + 1 }, { from: Math.max(from, closing - 1), to });
}

/** Returns a function that returns the next unit if it begins before `end`. */
function unitReader(text: string, longest: number): (end: number) => Span | null {
  const pattern = new RegExp(WHOLE);
  let visible = '';
  let visibleEnd = 0;
  return (end) => {
    if (end !== visibleEnd) visible = text.slice(0, end + longest);
    visibleEnd = end;
    const { lastIndex } = pattern;
    const match = pattern.exec(visible);
    if (match && match.index < end) return { from: match.index, to: match.index + match[0].length };
    // Without a match, it would begin again.
    pattern.lastIndex = Math.max(lastIndex, end);
    return null;
  };
}

/** Returns the span strictly around `position`. @param spans in order */
function within<Each extends Span>(spans: readonly Each[], position: number): Each | null {
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

/** Returns a function that returns the next block if it begins before `end`. */
function blockReader(text: string): (end: number) => CodeBlock | null {
  let from = text.indexOf(FENCE);
  return (end) => {
    if (from < 0 || from >= end) return null;
    const start = from;
    const opening = OPENING.exec(text.slice(start, start + 40))?.[0] ?? FENCE;
    const content = start + opening.length;
    const close = text.indexOf(FENCE, content);
    const to = close + FENCE.length;
    // A fence without a closing one is plain text.
    from = close < 0 ? -1 : text.indexOf(FENCE, to);
    if (close < 0) return null;
    return { from: start, to, content, opening: opening.endsWith('\n') ? opening : `${opening}\n` };
  };
}
