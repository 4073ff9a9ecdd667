/**
 * Decodes the beginning of a text file by its byte order mark (https://encoding.spec.whatwg.org/#decode). Without one,
 * it is UTF-8 or, if it is not valid as UTF-8, windows-1252, which editors on Windows wrote.
 * @param isWhole false when the file has more, so that `head` may end within a character
 */
export function decodeText(head: Uint8Array, isWhole: boolean): string {
  const marked = MARKS.find(([, ...mark]) => mark.every((byte, index) => head[index] === byte));
  if (marked) return new TextDecoder(marked[0]).decode(head, { stream: !isWhole });
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: !isWhole });
  } catch {
    return new TextDecoder('windows-1252').decode(head);
  }
}

const MARKS = [
  ['utf-8', 0xef, 0xbb, 0xbf],
  ['utf-16le', 0xff, 0xfe],
  ['utf-16be', 0xfe, 0xff],
] as const;
