export interface Token {
  kind: 'liquid' | 'comment' | 'tag' | 'string' | 'text';
  text: string;
}

/** Liquid, comments of a bounded length, and tags. */
const TOP = /(\{\{[^{}]*\}\}|\{%[^%]*%\})|(<!--.{0,2000}?-->)|(<\/?[A-Za-z][^<>]*>)/s;
/** The values of attributes within a tag, and Liquid. */
const IN_TAG = /(\{\{[^{}]*\}\}|\{%[^%]*%\})|("[^"]*"|'[^']*')/;

/** Divides the source of a template for coloring. Joined, the tokens are the source. */
export function tokensOf(source: string): Token[] {
  return divide(source, TOP, ['liquid', 'comment', 'tag'], 'text').flatMap((token) =>
    token.kind === 'tag' ? divide(token.text, IN_TAG, ['liquid', 'string'], 'tag') : token,
  );
}

/** @param kinds one for each group of `pattern`, whose alternatives are groups that contain no other groups */
function divide(
  source: string,
  pattern: RegExp,
  kinds: readonly Token['kind'][],
  rest: Token['kind'],
): Token[] {
  const tokens: Token[] = [];
  let end = 0;
  for (const match of source.matchAll(new RegExp(pattern, `${pattern.flags}g`))) {
    if (match.index > end) tokens.push({ kind: rest, text: source.slice(end, match.index) });
    const group = match.slice(1).findIndex((text) => text !== undefined);
    tokens.push({ kind: kinds[group] ?? rest, text: match[0] });
    end = match.index + match[0].length;
  }
  if (end < source.length) tokens.push({ kind: rest, text: source.slice(end) });
  return tokens;
}
