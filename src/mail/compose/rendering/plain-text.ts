import { compile } from 'html-to-text';

const convert = compile({
  wordwrap: 78,
  preserveNewlines: false,
  limits: { maxInputLength: 6_000_000, maxDepth: 200, maxChildNodes: 20_000 },
  selectors: [
    { selector: 'img', format: 'skip' },
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true, ignoreHref: false } },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
    { selector: 'table', format: 'block' },
  ],
});

/** Returns the text alternative of an HTML e-mail. */
export function plainTextOf(html: string): string {
  return convert(html).trim();
}
