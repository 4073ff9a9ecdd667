import { invalidField } from '../../kernel/http/problem.ts';
import { readHeaderText } from './addresses.ts';

/** Headers that a caller may set: none that says who sends, who receives, or how the body is built. */
const ALLOWED = new Set([
  'auto-submitted',
  'comments',
  'content-language',
  'feedback-id',
  'importance',
  'in-reply-to',
  'keywords',
  'list-archive',
  'list-help',
  'list-id',
  'list-post',
  'list-subscribe',
  'list-unsubscribe-post',
  'organization',
  'precedence',
  'priority',
  'references',
  'reply-by',
  'sensitivity',
]);
const CUSTOM = /^x-[a-z0-9][a-z0-9-]{0,70}$/;
const MOST = 50;
const LONGEST = 2_000;

/**
 * The caller's own headers, each checked.
 * @throws Problem 400 that names `Headers.<name>`
 */
export function readHeaders(given: Record<string, string> | undefined): Record<string, string> {
  const entries = Object.entries(given ?? {});
  if (entries.length > MOST) throw invalidField('Headers', `must have ${MOST} entries at most`);
  const seen = new Set<string>();
  for (const [name, value] of entries) {
    const lower = name.toLowerCase();
    // The name itself may be hostile, so the error repeats only one that could be a header's.
    const field = /^[\w-]{1,80}$/.test(name) ? `Headers.${name}` : 'Headers';
    if (!ALLOWED.has(lower) && !CUSTOM.test(lower))
      throw invalidField(field, `only X-… and ${[...ALLOWED].sort().join(', ')} may be set here`);
    if (seen.has(lower)) throw invalidField(field, 'stands twice');
    seen.add(lower);
    readHeaderText(value, field, LONGEST);
    if (lower === 'list-unsubscribe-post' && value !== 'List-Unsubscribe=One-Click')
      throw invalidField(field, 'must be List-Unsubscribe=One-Click (RFC 8058)');
  }
  return Object.fromEntries(entries);
}

/** The value of `List-Unsubscribe` (RFC 2369 §3.2); null = none was given. @throws Problem 400 */
export function readListUnsubscribe(given: readonly string[] | undefined): string | null {
  if (!given) return null;
  return given
    .map((entry) => {
      const url = URL.parse(readHeaderText(entry, 'ListUnsubscribe', LONGEST).replace(/^<(.*)>$/, '$1'));
      if (!url || !['https:', 'http:', 'mailto:'].includes(url.protocol) || /[<>,\s]/.test(url.href)) {
        throw invalidField('ListUnsubscribe', 'must be https: or mailto: URLs');
      }
      return `<${url.href}>`;
    })
    .join(', ');
}
