import { BRAND, breakable, type Html, html, page } from '../../../kernel/http/page.ts';
import type { Language } from '../../../kernel/language.ts';
import { readableSize } from '../../../kernel/readable-size.ts';
import { shownName } from '../../../text/shown-name.ts';
import type { RenditionKind } from '../../tree/file.ts';
import { browserScript } from '../browser-script.ts';
import { NOT_INDEXED } from './dead-link.ts';
import { formatType, time } from './formats.ts';
import { type Preview, TEXT_SHOWN } from './preview.ts';
import { textsOf } from './texts.ts';

/** A file as displayed on its page. */
export interface PageFile {
  /** Language of the page. */
  language: Language;
  name: string;
  sizeBytes: number;
  mimeType: string;
  /** Milliseconds since the Unix epoch. */
  dateModified: number;
  /** Milliseconds since the Unix epoch; null = the link does not expire. */
  expiresAt: number | null;
  /** Name of the sender; null = not shown. */
  sharedBy: string | null;
  preview: Preview | null;
  /** Path of the bytes under the UI token. */
  mediaPath: string;
  /** Absolute addresses for link previews; null = the file requires a secret. */
  openGraph: { pageUrl: string; thumbnailUrl: string | null } | null;
}

const STYLE = `
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
.file object img { max-height: calc(75vh - 4rem); background: none; }
.file object .notice { margin: 0; text-align: center; }
.file .pages { max-height: 75vh; overflow: auto; padding: .75rem; border-radius: .5rem; background: var(--code); }
.file .pages div { display: grid; place-items: center; overflow: hidden; color: #444; background: #fff;
  border: 1px solid var(--line); }
.file .pages div + div { margin-top: .75rem; }
.file .pages canvas { width: 100%; height: 100%; min-height: 0; object-fit: contain; }
.file .pages + .muted { margin: .5rem 0 0; }
.file pre { max-height: 75vh; overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere; margin: 0; }
.file .button { margin: 0; }
.file .row { margin: 0; }
.file h1:has(+ .muted) { margin-bottom: .25rem; }
@media (max-width: 28rem) {
  main.wide { display: flex; flex-direction: column; min-height: 100dvh; padding: 0; background: var(--surface); }
  .brand { margin: 0; padding: 1rem 1.25rem 0; }
  .file { flex: 1; display: flex; flex-direction: column; border: 0; border-radius: 0; }
  .file figure { flex: 1; display: grid; align-content: center; }
  .file .button { width: 100%; }
  .file h1 { font-size: 1.25rem; }
}
`;

/**
 * Sources that only this page adds to the policy: the file itself, from here, as a picture, a recording or a
 * document.
 */
const POLICY = { 'img-src': "'self'", 'media-src': "'self'", 'object-src': "'self'", 'frame-src': "'self'" };

/** Those of pages of PDF files, which load PDF.js from here. */
const PDF_POLICY = { 'script-src': "'self'", 'connect-src': "'self'" };

/** Renders the page of an unlocked file. */
export async function filePage(
  file: PageFile,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const { language } = file;
  const texts = textsOf(language);
  const isPdf = file.preview?.kind === 'pdf';
  return await page({
    language,
    title: file.name,
    width: 'wide',
    style: STYLE,
    scripts: isPdf ? [await browserScript('pdf')] : [],
    policy: isPdf ? { ...POLICY, ...PDF_POLICY } : POLICY,
    headers: { ...NOT_INDEXED, ...headers },
    head: file.openGraph ? openGraph(file, file.openGraph) : undefined,
    body: html`
      ${BRAND}
      <article class="file">
        <h1>${breakable(file.name)}</h1>
        ${file.sharedBy !== null && html`<p class="muted">${texts.sharedBy(shownName(file.sharedBy))}</p>`}
        ${file.preview ? html`<figure>${preview(file, file.preview)}</figure>` : ''}
        <dl>
          <dt>${texts.size}</dt><dd>${readableSize(file.sizeBytes, language)}</dd>
          <dt>${texts.type}</dt><dd title="${file.mimeType}">${formatType(file.mimeType, language)}</dd>
          <dt>${texts.changed}</dt><dd>${time(file.dateModified, language)}</dd>
          ${file.expiresAt !== null && html`<dt>${texts.availableUntil}</dt><dd>${time(file.expiresAt, language)}</dd>`}
        </dl>
        <p class="row">
          <a class="button" href="${file.mediaPath}" download>${texts.download}</a>
          ${
            isPdf &&
            html`<a class="button quiet" href="${file.mediaPath}?inline=1">${texts.openInBrowser}</a>`
          }
        </p>
      </article>
      `,
  });
}

function preview(file: PageFile, shown: Preview): Html {
  const texts = textsOf(file.language);
  const bytes = `${file.mediaPath}?inline=1`;
  switch (shown.kind) {
    case 'image':
      return html`<img src="${bytes}" alt="${shownName(file.name)}">`;
    case 'thumbnail':
    case 'preview':
      return rendition(file, shown.kind);
    case 'video':
      return html`<video src="${bytes}" controls playsinline preload="metadata"></video>`;
    case 'audio':
      return html`<audio src="${bytes}" controls preload="metadata"></audio>`;
    case 'pdf':
      return html`<object data="${bytes}" aria-label="${texts.previewOf(shownName(file.name))}" type="application/pdf">
        ${shown.picture && rendition(file, shown.picture)}
        <p class="notice">${shown.picture ? texts.firstPage : texts.noPdf}</p>
      </object>`;
    case 'text':
      return html`<pre tabindex="0">\n${shown.text}</pre>${
        shown.isWhole
          ? ''
          : html`<figcaption class="muted">
              ${texts.firstPart(readableSize(TEXT_SHOWN, file.language))}
            </figcaption>`
      }`;
  }
}

function rendition({ language, name, mediaPath }: PageFile, kind: RenditionKind): Html {
  return html`<img src="${mediaPath}?${kind}=1" alt="${textsOf(language).previewOf(shownName(name))}">`;
}

/** Metadata for link previews (https://ogp.me). */
function openGraph(file: PageFile, { pageUrl, thumbnailUrl }: NonNullable<PageFile['openGraph']>): Html {
  const { language } = file;
  const image = thumbnailUrl
    ? html`<meta property="og:image" content="${thumbnailUrl}">
<meta property="og:image:type" content="image/webp">
<meta property="og:image:alt" content="${textsOf(language).previewOf(shownName(file.name))}">
<meta name="twitter:card" content="summary_large_image">`
    : html`<meta name="twitter:card" content="summary">`;
  const about = `${readableSize(file.sizeBytes, language)}, ${formatType(file.mimeType, language)}`;
  return html`<meta property="og:type" content="website">
<meta property="og:site_name" content="Posthouse">
<meta property="og:title" content="${shownName(file.name)}">
<meta property="og:description" content="${about}">
<meta property="og:url" content="${pageUrl}">
${image}`;
}
