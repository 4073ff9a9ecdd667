/** The style sheet of pages of files. */
export const STYLE = `
main.wide { max-width: 52rem; }
.file { background: var(--surface); border: 1px solid var(--line); border-radius: .75rem; padding: 1.25rem; }
.file dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; margin: 0 0 1.25rem; }
.file dt { color: var(--muted); }
.file dd { margin: 0; }
.file figure { margin: 0 0 1.25rem; }
.file img, .file video { display: block; margin: 0 auto; max-height: max(16rem, calc(100vh - 25rem));
  border-radius: .5rem; background: var(--code); }
.file audio { display: block; width: 100%; }
.file object { display: block; width: 100%; height: 75vh; border: 0; border-radius: .5rem; background: var(--code); }
/* Phones have no viewer; what is shown in place of its box is as high as needed. */
@media (scripting: none) and (pointer: coarse) { .file object { height: auto; padding: .75rem; } }
.file object img { max-height: calc(75vh - 4rem); background: none; }
.file object .notice { margin: 0; text-align: center; }
.file .pages { max-height: 75vh; overflow: auto; padding: .75rem; border-radius: .5rem; background: var(--code); }
.file .pages > div { display: grid; place-items: center; overflow: hidden; color: #444; background: #fff;
  border: 1px solid var(--line); }
.file .pages > div + div { margin-top: .75rem; }
.file .pdf-sheet { position: relative; }
.file .pdf-sheet canvas { display: block; width: 100%; height: 100%; }
.file .pages + .muted { margin: .5rem 0 0; }
.file pre { max-height: 75vh; overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere; margin: 0; }
.file .button { margin: 0; }
.file .row { margin: 0; }
.file h1:has(+ .muted) { margin-bottom: .25rem; }
@media (max-width: 28rem) {
  main.wide { display: flex; flex-direction: column; min-height: 100dvh; padding: 0; background: var(--surface); }
  .brand { margin: 0; padding: 1rem 1.25rem 0; }
  .file { flex: 1; display: flex; flex-direction: column; border: 0; border-radius: 0; }
  .file figure { flex: 1; }
  .file figure:has(> :is(img, video)) { display: grid; align-content: center; }
  .file .button { width: 100%; }
  .file h1 { font-size: 1.25rem; }
}
`;

/** Additions for texts that are formatted. */
export const TEXT_STYLE = `
.file :is(.markdown, .text-table) { max-height: 75vh; overflow: auto; border: 1px solid var(--line);
  border-radius: .5rem; }
.file .markdown { padding: 1rem 1.25rem 0; }
.file .markdown pre { margin: 0 0 1rem; }
.file .markdown blockquote { margin: 0 0 1rem; padding-left: 1rem; border-left: 3px solid var(--line);
  color: var(--muted); }
.file :is(.markdown, .text-table) table { width: auto; font-size: .875rem; }
.file .text-table table { width: max-content; min-width: 100%; margin: 0; border-collapse: separate;
  border-spacing: 0; }
.file :is(.markdown, .text-table) :is(th, td) { padding: .35rem .75rem; overflow-wrap: break-word; }
.file .markdown button.footnote { position: relative; display: inline; width: auto; min-height: 0; margin: 0;
  padding: 0 .15rem; border: 0; background: none; color: var(--accent); font: inherit; line-height: 1; }
.file .markdown button.footnote::after { content: ""; position: absolute; inset: -.5rem -.6rem; }
.file .markdown hr { border: 0; border-top: 1px solid var(--line); }
.file .markdown .task { list-style: none; margin-left: -1.3em; }
.file .markdown [align=right] { text-align: right; }
.file .markdown [align=center] { text-align: center; }
.file .text-table :is(th, td) { min-width: 4rem; max-width: min(26rem, 70vw); white-space: pre-wrap; }
.file .markdown-table { overflow-x: auto; }
.file .markdown .one-line { white-space: nowrap; }
.file .text-table th { position: sticky; top: 0; background: var(--code); }
.file :is(.hljs-comment, .hljs-quote, .hljs-meta) { color: var(--muted); font-style: italic; }
.file :is(.hljs-keyword, .hljs-selector-tag, .hljs-name, .hljs-section, .hljs-title, .hljs-built_in, .hljs-type,
  .hljs-attr, .hljs-attribute) { color: var(--accent); }
.file :is(.hljs-string, .hljs-regexp, .hljs-addition) { color: var(--good); }
.file .hljs-deletion { color: var(--bad); }
`;
