import DOMPurify from 'dompurify';
import { useCallback } from 'react';
import type { TextFormat } from './text-format.ts';
import type { RenderedText } from './text-worker.ts';

interface FormattedTextProps {
  kind: TextFormat['kind'];
  rendered: RenderedText;
}

/** A rendered text. */
export function FormattedText({ kind, rendered }: FormattedTextProps) {
  if ('rows' in rendered) return <TextTable rows={rendered.rows} />;
  return <SanitizedHtml key={rendered.html} html={rendered.html} kind={kind} />;
}

function SanitizedHtml({ html, kind }: Pick<FormattedTextProps, 'kind'> & { html: string }) {
  // Nodes, since a parser could read their markup in another way than the sanitizer did.
  const fill = useCallback(
    (element: HTMLElement | null) => element?.replaceChildren(sanitized(html)),
    [html],
  );
  return kind === 'code' ? (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
    <pre tabIndex={0} className="highlighted" ref={fill} />
  ) : (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
    <article tabIndex={0} className="markdown" ref={fill} />
  );
}

function TextTable({ rows }: { rows: readonly string[][] }) {
  const [head = [], ...body] = rows;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
    <div className="text-table" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {head.map((cell, column) => (
              <th key={column}>{cell}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {body.map((row, index) => (
            <tr key={index}>
              {row.map((cell, column) => (
                <td key={column}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Everything else is removed, with all attributes but these. */
const TAGS = [
  ...[
    'h1',
    'h2',
    'h3',
    'h4',
    'h5',
    'h6',
    'p',
    'br',
    'hr',
    'ul',
    'ol',
    'li',
    'blockquote',
    'pre',
    'code',
    'kbd',
  ],
  ...['em', 'strong', 'del', 'sub', 'sup', 'a', 'table', 'thead', 'tbody', 'tr', 'th', 'td', 'span'],
];

function sanitized(html: string): DocumentFragment {
  const fragment = DOMPurify.sanitize(html, {
    ALLOWED_TAGS: TAGS,
    ALLOWED_ATTR: ['href', 'start', 'align', 'class'],
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    ALLOWED_URI_REGEXP: /^(?:https?|mailto):/i,
    RETURN_DOM_FRAGMENT: true,
  });
  for (const element of fragment.querySelectorAll('[class]')) {
    // Classes of the app would make texts look like parts of it.
    const own = [...element.classList].filter((name) => name.startsWith('hljs-'));
    element.className = own.join(' ');
  }
  for (const link of fragment.querySelectorAll('a')) {
    link.target = '_blank';
    link.rel = 'noopener noreferrer nofollow';
  }
  return fragment;
}
