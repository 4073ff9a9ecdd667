/** A fenced code block: ``` to ```. Positions are UTF-16 units. */
export interface CodeBlock {
  from: number;
  to: number;
  /** Start of its content. */
  content: number;
  /** The text that reopens it in another piece: the fence, the language if it has one, and a line break. */
  opening: string;
}

/** The code blocks of a text, and its tokens: links, mentions and others that Discord reads as a whole. */
export interface Structure {
  /** Returns the code block around `position`; null = none. */
  blockAt(position: number): CodeBlock | null;
  /** Returns the start of the token, or of the edge of a block, that a break at `position` would cut; null = none. */
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

/** Number of characters that are read at once, since a long text may have many tokens. */
const READ_AT_ONCE = 8_192;

/**
 * Returns the structure of a text, which is read on demand, up to the position that is looked up.
 * @param longest length up to which tokens are recognized: longer ones have to be cut anyway
 */
export function readStructure(text: string, longest: number): Structure {
  const readBlock = blockReader(text);
  const nextToken = tokenReader(text, longest);
  const blocks: CodeBlock[] = [];
  /** Tokens and edges of blocks, in order. */
  const uncut: Span[] = [];
  let read = 0;
  /** Number of blocks whose edges are in `uncut`. */
  let edged = 0;

  function addEdgesBefore(position: number): void {
    for (let block = blocks[edged]; block && block.from < position; block = blocks[++edged])
      addEdges(uncut, text, block);
  }

  function readMore(): void {
    read += READ_AT_ONCE;
    for (let block = readBlock(read + longest); block; block = readBlock(read + longest)) blocks.push(block);
    for (let token = nextToken(read); token; token = nextToken(read)) {
      addEdgesBefore(token.from);
      // A token that runs into a code block ends there: Discord reads the fence first.
      const to = Math.min(token.to, blocks[edged]?.from ?? token.to);
      if (!within(blocks, token.from)) uncut.push({ from: token.from, to });
    }
    addEdgesBefore(read);
  }

  function at<Each extends Span>(spans: readonly Each[], position: number): Each | null {
    while (read < position) readMore();
    return within(spans, position);
  }

  return {
    blockAt: (position) => at(blocks, position),
    cutAt: (position) => at(uncut, position)?.from ?? null,
  };
}

interface Span {
  from: number;
  to: number;
}

/** Adds the edges of a block: a break right after its opening or right before its end would leave an empty block. */
function addEdges(uncut: Span[], text: string, { from, to, content }: CodeBlock): void {
  const closing = content + text.slice(content, to - FENCE.length).trimEnd().length;
  uncut.push({ from, to: content + 1 }, { from: Math.max(from, closing - 1), to });
}

/** Returns a function that returns the next token if it begins before `end`. */
function tokenReader(text: string, longest: number): (end: number) => Span | null {
  const pattern = new RegExp(WHOLE);
  let visible = '';
  let visibleEnd = 0;
  return (end) => {
    if (end !== visibleEnd) visible = text.slice(0, end + longest);
    visibleEnd = end;
    const { lastIndex } = pattern;
    const match = pattern.exec(visible);
    if (match && match.index < end) return { from: match.index, to: match.index + match[0].length };
    // Without a match, the pattern would start again at 0.
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
