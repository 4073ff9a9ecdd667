import { SHAPES } from './shapes.ts';

/**
 * The style sheet of the page of a link. Its pictures fill rows; each is as wide as its shape requires, so that those
 * of a row have one height.
 */
export const STYLE = `
main.wide { max-width: 80rem; }
.message { white-space: pre-line; max-width: 48rem; }
.send { position: relative; max-width: 32rem; }
.send .muted { margin: .5rem 0; }
.send button:disabled { opacity: .6; cursor: default; }
.send input.unseen[type=file] { position: absolute; width: 1px; height: 1px; min-height: 0; padding: 0; opacity: 0; }
.drop { padding: 1rem; text-align: center; border: 2px dashed var(--line); border-radius: .75rem; }
.over .drop { border-color: var(--accent); background: var(--ground); }
.unseen:focus-visible + .drop { outline: 3px solid var(--accent); outline-offset: 2px; }
.drop .button { margin: 0; }
.drop .muted { margin: .75rem 0 0; }
@media (max-width: 28rem) { .send button[type=submit], .drop .button { width: 100%; } }
@media (pointer: coarse) { .drop { padding: 0; border: 0; } .drop .muted { display: none; } }
.send .sending { max-height: 26rem; overflow-y: auto; margin: 1rem 0; }
.sending progress { display: block; width: 100%; height: .5rem; margin-top: .35rem; accent-color: var(--accent); }
.sending .refused .about .muted { color: var(--bad); }
.sending .sent .about .muted { color: var(--good); }
.sending li button { flex: none; width: auto; min-width: 2.75rem; margin: 0; padding: .25rem;
  border-color: transparent; }
.sending [hidden] { display: none; }
.outcome { margin: 1rem 0 0; font-weight: 600; }
.outcome:empty { display: none; }
.trail ol { display: flex; flex-wrap: wrap; gap: .25rem .5rem; list-style: none; margin: 0 0 .75rem; padding: 0; }
.trail li + li::before { content: "/"; margin-right: .5rem; color: var(--muted); }
.bar { margin-bottom: 1.25rem; }
.bar .button, .bar button { margin: 0; }
.folders, .gallery, .files { list-style: none; margin: 0 0 1.5rem; padding: 0; }
.folders { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 14rem), 1fr)); gap: .5rem; }
.folders a { display: flex; gap: .6rem; align-items: center; min-height: 3rem; padding: .5rem .75rem;
  color: inherit; text-decoration: none; background: var(--surface); border: 1px solid var(--line);
  border-radius: .5rem; height: 100%; }
.folders svg { flex: none; color: var(--accent); }
.gallery { --row: clamp(6.5rem, 24vw, 13rem); display: flex; flex-wrap: wrap; align-items: flex-start; gap: .375rem; }
.gallery li { flex: var(--ratio) 1 calc(var(--row) * var(--ratio)); aspect-ratio: var(--ratio);
  max-width: min(100%, calc(var(--row) * var(--ratio) * 2.5)); }
.gallery li:only-child { flex-basis: 100%; max-width: min(100%, 40rem); }
.gallery::after { content: ""; flex: 1000 1 0; }
.gallery a { display: block; height: 100%; border-radius: .375rem; }
.gallery img { display: block; width: 100%; height: 100%; object-fit: cover; border-radius: inherit;
  background: var(--code); }
${SHAPES}
.files { background: var(--surface); border: 1px solid var(--line); border-radius: .5rem; }
.files li { display: flex; gap: .25rem 1rem; align-items: center; padding: .5rem .75rem; }
.files li + li { border-top: 1px solid var(--line); }
.files .about { flex: 1; min-width: 0; }
.files .about > span, .files .about > bdi { display: block; }
.files .button { flex: none; display: grid; place-items: center; width: 2.75rem; margin: 0; padding: 0;
  border-color: transparent; }
.files .button:hover { background: var(--code); }
.files .about a { color: inherit; text-decoration: none; }
.files .about a:hover { text-decoration: underline; }
.files .about .muted { font-size: .875rem; }
.viewer { width: 100%; height: 100%; max-width: none; max-height: none; margin: 0; padding: 0; border: 0;
  overflow: hidden; color: #fff; background: #0d0f12; }
.viewer::backdrop { background: #0d0f12; }
.viewer figure { display: grid; grid-template: auto minmax(0, 1fr) auto / minmax(0, 1fr); width: 100%; height: 100%;
  margin: 0; }
.viewer .stage { position: relative; min-height: 0; touch-action: pan-y pinch-zoom; user-select: none; }
.viewer .stage img { position: absolute; inset: 0; width: 100%; height: 100%; object-fit: contain; }
.viewer .failure { position: absolute; inset: 0; display: grid; place-content: center; margin: 0; padding: 1rem 4rem;
  text-align: center; }
.viewer .failure[hidden] { display: none; }
.viewer .tools { display: flex; gap: .25rem; justify-content: flex-end; align-items: center; padding: .5rem; }
.viewer .tools span { flex: 1; padding-left: .5rem; font-variant-numeric: tabular-nums; }
.viewer figcaption { padding: .75rem 1rem; text-align: center; }
.viewer button, .viewer .button { display: inline-grid; place-items: center; min-width: 2.75rem; margin: 0;
  padding: .25rem .75rem; color: #fff; background: #0d0f12; border-color: transparent; }
.viewer svg { display: block; }
.viewer button:hover, .viewer .button:hover { background: #2a2f38; }
.viewer .step { position: absolute; top: 50%; translate: 0 -50%; font-size: 1.5rem; opacity: .85; }
.viewer .back { left: .5rem; }
.viewer .next { right: .5rem; }
.viewer :focus-visible { outline-color: #8fb2ff; }
@media (pointer: coarse) { .viewer .step { display: none; } }
`;
