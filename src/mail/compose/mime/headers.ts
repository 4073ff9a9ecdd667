import { invalidField } from '../../../kernel/problem.ts';
import type { Client } from '../../clients/clients.ts';
import type { EmailRequest } from '../email-request.ts';
import { readHeaderText } from './addresses.ts';

/** Header fields that a caller may set. None affects the sender, the recipients or the structure of the body. */
const ALLOWED = new Set(
  `auto-submitted comments content-language feedback-id importance in-reply-to keywords list-archive list-help
   list-id list-post list-subscribe list-unsubscribe-post organization precedence priority
   references reply-by sensitivity`.split(/\s+/),
);
const CUSTOM = /^x-[a-z0-9][a-z0-9-]{0,70}$/;
/**
 * Fields from which mail providers (SendGrid, SparkPost, Mandrill) take recipients. With them, a client could
 * reach recipients that it may not write to, and that the log of messages does not show.
 */
const NAMES_RECIPIENTS = new Set(['x-smtpapi', 'x-msys-api', 'x-mc-bccaddress']);
const MAX_HEADERS = 50;
const MAX_VALUE_LENGTH = 2_000;

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
    readHeaderText(value, field, MAX_VALUE_LENGTH);
    if (lower === 'list-unsubscribe-post' && value !== 'List-Unsubscribe=One-Click')
      throw invalidField(field, 'must be List-Unsubscribe=One-Click (RFC 8058)');
  }
  if (ListUnsubscribe) entries.push(['List-Unsubscribe', listUnsubscribe(ListUnsubscribe)]);
  return Object.fromEntries(entries);
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
      return `<${url.href}>`;
    })
    .join(', ');
}
