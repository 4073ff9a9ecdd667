/** Returns Telegram's error for a text with markup; null = valid. Implemented independently of the product's parser. */
export function markupError(text: string, parseMode: unknown): string | null {
  if (parseMode === undefined) return null;
  if (parseMode === 'HTML') return htmlError(text);
  if (parseMode === 'MarkdownV2') return markdownError(text);
  return 'Bad Request: unsupported parse_mode';
}

/** Returns the visible text, for its length. */
export function visibleText(text: string, parseMode: unknown): string {
  if (parseMode === 'HTML') {
    return text
      .replace(/<[^>]*>/g, '')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&amp;', '&');
  }
  if (parseMode === 'MarkdownV2')
    return text
      .replace(/\]\((?:[^)\\]|\\.)*\)/g, '')
      .replace(/\\(.)|([*_~`|[>])/gs, (_, escaped?: string) => escaped ?? '');
  return text;
}

const TAGS = [
  'b',
  'strong',
  'i',
  'em',
  'u',
  'ins',
  's',
  'strike',
  'del',
  'span',
  'tg-spoiler',
  'a',
  'tg-emoji',
  'code',
  'pre',
  'blockquote',
];

function htmlError(text: string): string | null {
  const open: string[] = [];
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at + 1)) {
    const end = text.indexOf('>', at);
    const inside = end < 0 ? '' : text.slice(at + 1, end);
    const name = /^\/?([a-z-]+)/i.exec(inside)?.[1]?.toLowerCase() ?? '';
    if (!TAGS.includes(name))
      return `Bad Request: can't parse entities: Unsupported start tag "${name}" at byte offset ${Buffer.byteLength(text.slice(0, at))}`;
    if (!inside.startsWith('/')) open.push(name);
    else if (open.pop() !== name)
      return `Bad Request: can't parse entities: Unmatched end tag at byte offset ${at}`;
  }
  return open.length > 0
    ? `Bad Request: can't parse entities: Can't find end tag corresponding to start tag ${open.at(-1)}`
    : null;
}

function markdownError(text: string): string | null {
  // Escapes, code and link targets are removed; the remaining marks must be paired, without unescaped reserved
  // characters.
  const bare = text
    .replace(/\\[\s\S]/g, '')
    .replace(/```[\s\S]*?```/g, '')
    .replace(/`[^`]*`/g, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1');
  const reserved = /[[\]()#+\-={}.!`]/.exec(bare);
  if (reserved)
    return `Bad Request: can't parse entities: Character '${reserved[0]}' is reserved and must be escaped with the preceding '\\'`;
  for (const mark of ['\\|\\|', '__', '\\*', '~']) {
    if ((bare.match(new RegExp(mark, 'g'))?.length ?? 0) % 2 === 1)
      return `Bad Request: can't parse entities: Can't find end of the entity`;
  }
  return (bare.replaceAll('__', '').match(/_/g)?.length ?? 0) % 2 === 1
    ? "Bad Request: can't parse entities: Can't find end of Italic entity"
    : null;
}
