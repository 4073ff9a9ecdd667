/**
 * Marks of direction, which have no effect in a name that is isolated, and the characters that reorder the text after
 * them (https://www.unicode.org/reports/tr9/#Directional_Formatting_Characters).
 */
const MARKS = /[\u061c\u200e\u200f]/g;
const REORDERING = /[\u202a-\u202e\u2066-\u2069]/g;

/**
 * Returns a name in the form that is shown: characters that reorder text are replaced by U+FFFD. With them, a
 * program could look like a picture: `invoice[U+202E]gpj.exe` reads `invoiceexe.jpg`. Right-to-left letters
 * remain.
 */
export const shownName = (name: string): string => name.replace(MARKS, '').replace(REORDERING, '\ufffd');
