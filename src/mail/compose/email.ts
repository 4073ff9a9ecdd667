import { type Clock, DAY } from '../../kernel/clock.ts';
import { newId } from '../../kernel/ids.ts';
import { invalidField } from '../../kernel/problem.ts';
import type { Client } from '../clients.ts';
import type { Hosts } from '../hosts.ts';
import { withPixel } from '../opens.ts';
import type { EmailPayload } from '../payload.ts';
import { isListed, type Mailbox, readHeaderText, readMailbox } from './addresses.ts';
import { readAttachments } from './attachments.ts';
import type { RenderContent } from './content.ts';
import { type EmailRequest, MAX_RECIPIENTS } from './email-request.ts';
import { readHeaders } from './headers.ts';
import { type ComposedEmail, composeMail } from './mime.ts';
import { defaultServer, senderOf } from './sender.ts';

/** Composes the mail of a request. @throws Problem 400 for every error of the request */
export type ComposeEmail = (client: Client, request: EmailRequest) => Promise<ComposedEmail>;

interface EmailComposerDeps {
  render: RenderContent;
  hosts: Hosts;
  clock: Clock;
  /** POSTHOUSE_MAIL_FROM. */
  serverSender: string | null;
  /** Returns the URL of a mail's pixel; null = the operator disabled tracking. */
  pixelUrl: ((contentId: string) => string) | null;
}

const FARTHEST_MS = 366 * DAY;
const LONGEST_SUBJECT = 998;
const SECURITY = { None: 'none', StartTls: 'starttls', Tls: 'tls' } as const;

export function createEmailComposer(deps: EmailComposerDeps): ComposeEmail {
  const { render, hosts, clock, serverSender, pixelUrl } = deps;
  return async (client, request) => {
    const { to, cc, all } = readRecipients(request, client);
    const from = senderOf(request, client, serverSender);
    const replyTo = request.ReplyTo === undefined ? null : readMailbox(request.ReplyTo, 'ReplyTo');
    const headers = readHeaders(request);
    const sendAt = readSendAt(request.SendAt, clock.now());
    const rowId = newId();
    const content = await render(request);
    const subject = readHeaderText(content.subject, 'Subject', LONGEST_SUBJECT);
    const attachments = readAttachments(request.Attachments);
    const server = await readServer(request.SmtpConfiguration, client, hosts);
    const tracked = content.html !== null && request.TrackOpens && pixelUrl;
    const html = tracked ? withPixel(content.html ?? '', pixelUrl(rowId)) : content.html;
    const date = new Date(sendAt ?? clock.now());
    return await composeMail(
      { date, from, to, cc, replyTo, subject, text: content.text, html, attachments, headers },
      { rowId, server, recipients: all, secret: secretOf(request.SmtpConfiguration), sendAt },
    );
  };
}

/** @returns `all`: the addresses of the envelope, each once @throws Problem 400 that names `To`, `Cc` or `Bcc` */
function readRecipients(request: EmailRequest, client: Client) {
  const to = mailboxes(request.To, 'To');
  const cc = mailboxes(request.Cc, 'Cc');
  const bcc = mailboxes(request.Bcc, 'Bcc');
  const all = distinct([...to, ...cc, ...bcc]);
  if (all.length > MAX_RECIPIENTS)
    throw invalidField('To', `To, Cc and Bcc must have ${MAX_RECIPIENTS} addresses at most`);
  const allowed = client.recipientsAllowed;
  const stranger = all.find((address) => allowed.length > 0 && !isListed(address, allowed));
  if (stranger) throw invalidField('To', `this client may not write to ${stranger}`);
  return { to, cc, all };
}

/** @throws Problem 400 that names a field of `SmtpConfiguration`, 400 `host_not_allowed` */
async function readServer(
  own: EmailRequest['SmtpConfiguration'],
  client: Client,
  hosts: Hosts,
): Promise<EmailPayload['server']> {
  if (!own) return defaultServer(client);
  if ((own.Username === undefined) !== (own.Password === undefined))
    throw invalidField(
      `SmtpConfiguration.${own.Username === undefined ? 'Username' : 'Password'}`,
      'is required with the other',
    );
  const port = own.Port ?? (own.Security === 'Tls' ? 465 : 587);
  const addresses = await hosts.check(own.Host, port);
  return {
    kind: 'caller',
    host: own.Host.replace(/^\[(.*)\]$/, '$1'),
    addresses,
    port,
    security: own.Security ? SECURITY[own.Security] : port === 465 ? 'tls' : 'opportunistic',
    ...(own.Username === undefined ? {} : { signsIn: true as const }),
  };
}

function mailboxes(texts: readonly string[] | undefined, field: string): Mailbox[] {
  return (texts ?? []).map((text) => readMailbox(text, field));
}

/** Returns each address once, in its first spelling. */
function distinct(mailboxes: readonly Mailbox[]): string[] {
  const firsts = new Map<string, string>();
  for (const { address } of mailboxes)
    if (!firsts.has(address.toLowerCase())) firsts.set(address.toLowerCase(), address);
  return [...firsts.values()];
}

/** @returns null for a time that is over */
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
