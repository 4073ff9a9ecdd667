import { html, raw } from 'hono/html';
import { shownName } from '../../../text/shown-name.ts';
import type { Language } from '../../language.ts';
import { STYLE } from './style.ts';

/**
 * HTML that is escaped by construction: every value in the template is escaped unless `html` created it.
 * Attributes must be quoted: `html\`<a href="${url}">${name}</a>\``.
 */
export { html };
export type Html = ReturnType<typeof html>;

/** Logo and name of the product, as in the web app. */
export const BRAND = html`<p class="brand">
<svg width="32" height="32" viewBox="0 0 32 32" aria-hidden="true">
<rect width="32" height="32" rx="8" fill="#2456c8"/>
<path d="M7 10.5h18v12H7zM7.5 11l8.5 7 8.5-7" fill="none" stroke="#fff" stroke-width="2.2" stroke-linejoin="round"/>
</svg> Posthouse</p>`;
/** The media type of all pages. */
export const HTML = 'text/html; charset=utf-8';

interface Page {
  language: Language;
  /** Title without the product's name. */
  title: string;
  /** Content of `main`. */
  body: Html;
  /** More elements for `head`, such as `meta`. */
  head?: Html;
  /** `narrow` is a card for one form; `wide` is for reading. */
  width?: 'narrow' | 'wide';
  status?: number;
  /** Additional CSS of this page. Must be a constant. */
  style?: string;
  /** Scripts of this page, modules. Must be constants. */
  scripts?: readonly string[];
  /**
   * Directives that this page changes in its Content-Security-Policy, such as `{ 'img-src': "'self'" }`. Sources of
   * scripts are added to those of `scripts`.
   */
  policy?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
}

/**
 * Returns a complete page without cross-origin requests, in light and dark colors. Its policy allows its style sheet
 * and script, by hash, and forms to this origin. Not cached unless `headers` allow it.
 */
export async function page({
  language,
  title,
  body,
  head = html``,
  width = 'narrow',
  status = 200,
  style = '',
  scripts = [],
  policy = {},
  headers = {},
}: Page): Promise<Response> {
  const css = STYLE + style;
  const text = await html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${shownName(title)} · Posthouse</title>
${head}
<style>${raw(css)}</style>
</head>
<body>
<main class="${width}">
${body}
</main>
${scripts.map((script) => html`<script type="module">${raw(script)}</script>`)}
</body>
</html>
`;
  return new Response(String(text), {
    status,
    headers: {
      'Content-Type': HTML,
      'Content-Language': language,
      Vary: 'Accept-Language, Cookie',
      'Cache-Control': 'no-store',
      // With `no-referrer` a browser sends a form of this page with `Origin: null`
      // (https://fetch.spec.whatwg.org/#origin-header).
      'Referrer-Policy': 'same-origin',
      'Content-Security-Policy': contentSecurityPolicy(css, scripts, policy),
      ...headers,
    },
  });
}

/** https://www.w3.org/TR/CSP3/: directives that are not listed fall back to `default-src 'none'`. */
function contentSecurityPolicy(
  css: string,
  scripts: readonly string[],
  { 'script-src': otherScripts, ...own }: Readonly<Record<string, string>>,
): string {
  const hash = (text: string) => `'sha256-${new Bun.CryptoHasher('sha256').update(text).digest('base64')}'`;
  const scriptSources = [...scripts.map(hash), ...(otherScripts ? [otherScripts] : [])];
  const directives = {
    'default-src': "'none'",
    'style-src': hash(css),
    ...(scriptSources.length > 0 && { 'script-src': scriptSources.join(' ') }),
    'form-action': "'self'",
    'base-uri': "'none'",
    'frame-ancestors': "'none'",
    ...own,
  };
  return Object.entries(directives)
    .map(([name, value]) => `${name} ${value}`)
    .join('; ');
}

/** Renders a name so that it cannot reorder the text around it. */
export const nameOf = (name: string): Html => html`<bdi>${shownName(name)}</bdi>`;

/** Renders a file name in which long words may break after punctuation. */
export function breakable(name: string): Html {
  if (!LONG_PART.test(name)) return nameOf(name);
  const parts = shownName(name).split(/(?<=[._-])/);
  return html`<bdi>${parts.map((part, index) => (index === 0 ? html`${part}` : html`<wbr>${part}`))}</bdi>`;
}

const LONG_PART = /\S{25}/;

/** Renders text in backticks as code. */
export function withCode(text: string): Html[] {
  return text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
}
