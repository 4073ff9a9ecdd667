/*
 * Formats the text of a file: Markdown, tables and code. It runs in browsers; without it, the page shows the text as it
 * is.
 */

const TEXT_SCRIPT = '/assets/shared-text.js';

import(TEXT_SCRIPT).catch(() => {});
