/** Class of the numbers of footnotes in a text. */
export const FOOTNOTE = 'footnote';
/** Class of their list, until it is sanitized. */
export const FOOTNOTES = 'footnotes';
