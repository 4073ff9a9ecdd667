/**
 * Returns the index of the first character at or after `from` that is neither white space nor in a
 * comment (`<!-- … -->`). An unclosed comment ends the scan. Linear in the length of the source.
 */
export function skipComments(source: string, from = 0): number {
  let at = skipSpace(source, from);
  while (source.startsWith('<!--', at)) {
    const end = source.indexOf('-->', at + 4);
    if (end < 0) return at;
    at = skipSpace(source, end + 3);
  }
  return at;
}

function skipSpace(source: string, from: number): number {
  const space = /\s*/y;
  space.lastIndex = from;
  space.exec(source);
  return space.lastIndex;
}
