/** Maximum length of a line of a message, in octets without the line break (RFC 5322 §2.1.1). */
const MAX_LINE_LENGTH = 998;
/** Maximum length of a word: a line can be folded at spaces only, and the line after a fold begins with one. */
export const MAX_WORD_LENGTH = MAX_LINE_LENGTH - 1;
/** At this width, the library folds the lines of a header. */
const FOLDED_LENGTH = 76;

const UNFOLDABLE = new RegExp(`\\S{${MAX_WORD_LENGTH + 1}}| {${FOLDED_LENGTH}}`);

/**
 * Reports whether `text` of a header field can be folded into lines of the permitted length, none of which consists of
 * spaces (RFC 5322 §3.2.2).
 */
export function isFoldable(text: string): boolean {
  return !UNFOLDABLE.test(text);
}

/**
 * Reports whether a text can be sent intact only in encoded words (RFC 2047): it cannot be folded, or contains what the
 * recipient's program could take for an encoded word, and decode to another text.
 */
export function needsEncodedWords(text: string): boolean {
  return text.includes('=?') || !isFoldable(text);
}
