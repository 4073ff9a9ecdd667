/**
 * The style sheet of pages rendered by the server: sign-in, share page, documentation. It styles plain elements,
 * and the classes `.brand`, `.muted`, `.notice` (with `.bad` or `.good`), `.button`, `.quiet`, `.row` and `.scroll`.
 */
export const STYLE = `
:root {
  color-scheme: light dark;
  --ground: #f4f5f7; --surface: #fff; --ink: #1b1f27; --muted: #5b6472; --line: #d9dde4;
  --accent: #2456c8; --on-accent: #fff; --bad: #b3261e; --bad-ground: #fdecea; --good: #1b6e3c;
    --good-ground: #e6f4ea; --code: #eef0f4;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #14171c; --surface: #1d2128; --ink: #e8eaee; --muted: #a3adbb; --line: #363c47;
    --accent: #8fb2ff; --on-accent: #10182b; --bad: #ffb4ab; --bad-ground: #45201d; --good: #9bd8ae;
      --good-ground: #17341f; --code: #272c35;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-padding-top: 1rem; }
body { margin: 0; background: var(--ground); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main { margin: 0 auto; padding: 1.5rem 1rem; overflow-wrap: anywhere; }
main.narrow { max-width: 26rem; margin-top: min(10vh, 5rem); background: var(--surface);
  border: 1px solid var(--line); border-radius: .75rem; padding: 1.75rem; }
main.wide { max-width: 64rem; }
@media (max-width: 28rem) { main.narrow { margin-top: 0; min-height: 100dvh; border-width: 0;
  border-radius: 0; padding: 1.25rem 1rem; } }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 1rem; }
h2 { font-size: 1.2rem; line-height: 1.3; margin: 2rem 0 .5rem; }
h3 { font-size: 1rem; margin: 1.25rem 0 .25rem; }
p { margin: 0 0 1rem; }
a { color: var(--accent); }
.brand { display: flex; align-items: center; gap: .6rem; margin-bottom: 1.25rem;
  font-size: 1.125rem; font-weight: 650; }
form + p { margin-top: 1rem; }
.muted, small { color: var(--muted); }
label { display: block; font-weight: 600; margin: 1rem 0 .25rem; }
input:not([type=checkbox]):not([type=radio]), select, textarea {
  width: 100%; min-height: 2.75rem; padding: .5rem .75rem; font: inherit; color: inherit;
    background: var(--ground); border: 1px solid var(--muted); border-radius: .5rem;
}
button, .button {
  display: inline-block; min-height: 2.75rem; margin-top: 1.25rem; padding: .55rem 1.25rem; font: inherit;
    font-weight: 600; text-decoration: none; text-align: center;
  color: var(--on-accent); background: var(--accent); border: 1px solid var(--accent); border-radius: .5rem;
    cursor: pointer;
}
.narrow button, .narrow .button { width: 100%; }
button.quiet, .button.quiet { color: var(--accent); background: transparent; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.notice { padding: .75rem 1rem; border-radius: .5rem; background: var(--code); margin: 0 0 1rem; }
.notice.bad { color: var(--bad); background: var(--bad-ground); }
.notice.good { color: var(--good); background: var(--good-ground); }
.row { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; }
.scroll { overflow-x: auto; }
code, pre { font: .875em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
code { background: var(--code); border-radius: .25rem; padding: .1em .3em; }
pre { background: var(--code); border-radius: .5rem; padding: .75rem 1rem; margin: 0 0 1rem; overflow-x: auto;
  overflow-wrap: normal; }
pre code { background: none; padding: 0; }
table { border-collapse: collapse; width: 100%; margin: 0 0 1rem; }
th, td { text-align: left; vertical-align: top; padding: .4rem .75rem .4rem 0; border-bottom: 1px solid var(--line); }
img, video { max-width: 100%; height: auto; }
`;
