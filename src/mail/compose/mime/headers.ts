import { invalidField } from '../../../kernel/problem.ts';
import type { Client } from '../../clients/clients.ts';
import type { EmailRequest } from '../email-request.ts';
import { readHeaderText } from './addresses.ts';
import { isFoldable, MAX_WORD_LENGTH } from './folding.ts';

/** Header fields that a caller may set. None affects the sender, the recipients or the structure of the body. */
const ALLOWED = new Set(
  `auto-submitted comments content-language feedback-id importance in-reply-to keywords list-archive list-help
   list-id list-post list-subscribe list-unsubscribe-post organization precedence priority
   references reply-by sensitivity`.split(/\s+/),
);
const CUSTOM = /^x-[a-z0-9][a-z0-9-]{0,70}$/;
const UNSTRUCTURED = /^(?:x-.*|comments|organization)$/i;
/**
 * Fields from which mail providers (SendGrid, SparkPost, Mandrill) take recipients. With them, a client could
 * reach recipients that it may not write to, and that the log of messages does not show.
 */
const NAMES_RECIPIENTS = new Set(['x-smtpapi', 'x-msys-api', 'x-mc-bccaddress']);
const MAX_HEADERS = 50;
const MAX_VALUE_LENGTH = 2_000;
/** A URL contains no white space; two brackets and a comma surround it. */
const MAX_URL_LENGTH = MAX_WORD_LENGTH - 3;

/** Returns the caller's header fields, with `List-Unsubscribe`. @throws Problem 400 that names `Headers.<name>` */
export function readHeaders(
  { Headers = {}, ListUnsubscribe, SmtpConfiguration }: EmailRequest,
  { recipientsAllowed }: Pick<Client, 'recipientsAllowed'>,
): Record<string, string> {
  const entries = Object.entries(Headers);
  if (entries.length > MAX_HEADERS) throw invalidField('Headers', `must have at most ${MAX_HEADERS} entries`);
  // With its own mail server and without a list of allowed recipients, a client may write to anyone.
  const mayNameRecipients = SmtpConfiguration && recipientsAllowed.length === 0;
  const seen = new Set<string>();
  for (const [name, value] of entries) {
    const lower = name.toLowerCase();
    // A name may be hostile; the error repeats only one that is valid for a header field.
    const field = /^[\w-]{1,80}$/.test(name) ? `Headers.${name}` : 'Headers';
    if (!ALLOWED.has(lower) && !CUSTOM.test(lower))
      throw invalidField(field, `only X-… and ${[...ALLOWED].sort().join(', ')} may be set here`);
    if (!mayNameRecipients && NAMES_RECIPIENTS.has(lower))
      throw invalidField(field, 'names recipients for a mail provider; use To, Cc or Bcc');
    if (seen.has(lower)) throw invalidField(field, 'must not appear twice');
    seen.add(lower);
    readValue(lower, value, field);
    if (lower === 'list-unsubscribe-post' && value !== 'List-Unsubscribe=One-Click')
      throw invalidField(field, 'must be List-Unsubscribe=One-Click (RFC 8058)');
  }
  if (ListUnsubscribe) entries.push(['List-Unsubscribe', listUnsubscribe(ListUnsubscribe)]);
  return Object.fromEntries(entries);
}

/** Reports whether the value of a header field is any text, which encoded words may represent (RFC 2047 §5). */
export function isUnstructured(name: string): boolean {
  return UNSTRUCTURED.test(name);
}

/** @throws Problem 400 that names `field` */
function readValue(name: string, value: string, field: string): void {
  readHeaderText(value, field, MAX_VALUE_LENGTH);
  if (isUnstructured(name)) return;
  // The library removes white space within the angle brackets of `References`, and adds missing brackets.
  const ids = value.replace(/<[^>]*(?:>|$)/g, (id) => id.replace(/\s/g, ''));
  if (!isFoldable(ids.replace(/\S+/g, '<$&>')))
    throw invalidField(field, `must contain a single space at least every ${MAX_WORD_LENGTH - 2} characters`);
}

/** Returns the value of `List-Unsubscribe` (RFC 2369 §3.2). @throws Problem 400 */
function listUnsubscribe(given: readonly string[]): string {
  return given
    .map((entry) => {
      const url = URL.parse(
        readHeaderText(entry, 'ListUnsubscribe', MAX_VALUE_LENGTH).replace(/^<(.*)>$/, '$1'),
      );
      if (!url || !['https:', 'http:', 'mailto:'].includes(url.protocol) || /[<>,\s]/.test(url.href)) {
        throw invalidField('ListUnsubscribe', 'must be https: or mailto: URLs');
      }
      if (url.href.length > MAX_URL_LENGTH)
        throw invalidField('ListUnsubscribe', `must be URLs of at most ${MAX_URL_LENGTH} characters`);
      return `<${url.href}>`;
    })
    .join(', ');
}
