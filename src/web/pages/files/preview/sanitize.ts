import DOMPurify from 'dompurify';

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

/** Returns the nodes of a rendered text, without scripts, styles and pictures. Links open in another tab. */
export function sanitized(html: string): DocumentFragment {
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
