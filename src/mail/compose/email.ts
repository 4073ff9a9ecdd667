import { type Clock, DAY } from '../../kernel/clock.ts';
import { invalidField } from '../../kernel/http/problem.ts';
import { newId } from '../../kernel/ids.ts';
import type { Client, SmtpSecurity } from '../clients.ts';
import type { Hosts } from '../hosts.ts';
import { withPixel } from '../opens.ts';
import type { EmailPayload } from '../payload.ts';
import { domainOf, isListed, type Mailbox, readHeaderText, readMailbox } from './addresses.ts';
import { readAttachments } from './attachments.ts';
import type { RenderContent } from './content.ts';
import { type EmailRequest, MOST_RECIPIENTS } from './email-request.ts';
import { readHeaders, readListUnsubscribe } from './headers.ts';
import { buildMime } from './mime.ts';
import { senderOf } from './sender.ts';

/** A mail that is ready to be stored. */
export interface ComposedEmail {
  /** Of its outbox row. */
  rowId: string;
  payload: EmailPayload;
  mime: Buffer;
  /** JSON of the caller's SMTP credentials; undefined = none. */
  secret: string | undefined;
  /** Ms since the epoch; null = at once. */
  sendAt: number | null;
}

/** Makes a mail of a request. @throws Problem 400 for everything that the contract refuses before storing */
export type ComposeEmail = (client: Client, request: EmailRequest) => Promise<ComposedEmail>;

interface ComposerParts {
  render: RenderContent;
  hosts: Hosts;
  clock: Clock;
  /** POSTHOUSE_MAIL_FROM. */
  serverSender: string | null;
  /** Where a mail's pixel is fetched; null = the operator wants no tracking. */
  pixelUrl: ((contentId: string) => string) | null;
}

const FARTHEST_MS = 366 * DAY;
const LONGEST_SUBJECT = 998;
const SECURITY: Record<'None' | 'StartTls' | 'Tls', SmtpSecurity> = { None: 'none', StartTls: 'starttls', Tls: 'tls' };

export function createEmailComposer({ render, hosts, clock, serverSender, pixelUrl }: ComposerParts): ComposeEmail {
  return async (client, request) => {
    const to = mailboxes(request.To, 'To');
    const cc = mailboxes(request.Cc, 'Cc');
    const bcc = mailboxes(request.Bcc, 'Bcc');
    const recipients = distinct([...to, ...cc, ...bcc]);
    if (recipients.length > MOST_RECIPIENTS) throw invalidField('To', `To, Cc and Bcc must have ${MOST_RECIPIENTS} addresses at most`);
    const stranger = recipients.find((address) => client.recipientsAllowed.length > 0 && !isListed(address, client.recipientsAllowed));
    if (stranger) throw invalidField('To', `this client may not write to ${stranger}`);
    const from = senderOf(request, client, serverSender);
    const replyTo = request.ReplyTo === undefined ? null : readMailbox(request.ReplyTo, 'ReplyTo');
    const headers = readHeaders(request.Headers);
    const listUnsubscribe = readListUnsubscribe(request.ListUnsubscribe);
    const sendAt = readSendAt(request.SendAt, clock.now());

    const rowId = newId();
    const content = await render(request);
    const subject = readHeaderText(content.subject, 'Subject', LONGEST_SUBJECT);
    const attachments = readAttachments(request.Attachments);
    const server = await readServer(request.SmtpConfiguration, client);
    const headerId = `<${rowId}@${domainOf(from.address)}>`;
    const mime = await buildMime({
      headerId,
      date: new Date(sendAt ?? clock.now()),
      from,
      to,
      cc,
      replyTo,
      subject,
      text: content.text,
      html: content.html !== null && request.TrackOpens && pixelUrl ? withPixel(content.html, pixelUrl(rowId)) : content.html,
      attachments,
      headers: { ...headers, ...(listUnsubscribe === null ? {} : { 'List-Unsubscribe': listUnsubscribe }) },
    });
    return {
      rowId,
      payload: {
        contentId: rowId,
        headerId,
        from: from.address,
        subject,
        server,
        recipients: recipients.map((address) => ({ address, status: 'Queued' as const, error: null })),
      },
      mime,
      secret: secretOf(request.SmtpConfiguration),
      sendAt,
    };
  };

  async function readServer(own: EmailRequest['SmtpConfiguration'], client: Client): Promise<EmailPayload['server']> {
    if (!own) return client.has.smtp ? { kind: 'client' } : { kind: 'default' };
    if ((own.Username === undefined) !== (own.Password === undefined))
      throw invalidField(
        own.Username === undefined ? 'SmtpConfiguration.Username' : 'SmtpConfiguration.Password',
        'is required with the other',
      );
    const port = own.Port ?? (own.Security === 'Tls' ? 465 : 587);
    const security = own.Security ? SECURITY[own.Security] : port === 465 ? 'tls' : 'opportunistic';
    const addresses = await hosts.check(own.Host, port);
    const signsIn = own.Username === undefined ? {} : { signsIn: true as const };
    return { kind: 'caller', host: own.Host.replace(/^\[(.*)\]$/, '$1'), addresses, port, security, ...signsIn };
  }
}

function mailboxes(texts: readonly string[] | undefined, field: string): Mailbox[] {
  return (texts ?? []).map((text) => readMailbox(text, field));
}

/** Each address once, as it stands first. */
function distinct(mailboxes: readonly Mailbox[]): string[] {
  const firsts = new Map<string, string>();
  for (const { address } of mailboxes) if (!firsts.has(address.toLowerCase())) firsts.set(address.toLowerCase(), address);
  return [...firsts.values()];
}

function readSendAt(text: string | undefined, now: number): number | null {
  if (text === undefined) return null;
  const time = Date.parse(text);
  if (time > now + FARTHEST_MS) throw invalidField('SendAt', 'must be within a year');
  return time > now ? time : null;
}

function secretOf(own: EmailRequest['SmtpConfiguration']): string | undefined {
  if (own?.Username === undefined || own.Password === undefined) return undefined;
  return JSON.stringify({ username: own.Username, password: own.Password });
}
