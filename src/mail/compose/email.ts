import { type Clock, DAY } from '../../kernel/clock.ts';
import { newId } from '../../kernel/ids.ts';
import { invalidField } from '../../kernel/problem.ts';
import type { Client } from '../clients/clients.ts';
import { MAX_RECIPIENTS } from '../fields.ts';
import type { CheckHost } from '../hosts.ts';
import type { EmailPayload } from '../payload.ts';
import type { MailSettings } from '../settings.ts';
import { type ComposedEmail, composedEmail, headerIdOf } from './composed-email.ts';
import type { EmailRequest } from './email-request.ts';
import { isListed, type Mailbox, readMailbox } from './mime/addresses.ts';
import type { MailHead } from './mime/build-mail.ts';
import { readHeaders } from './mime/headers.ts';
import { requestDraft, type TemplateSource } from './rendering/draft.ts';
import type { PackedContent } from './rendering/packed-content.ts';
import type { Rendering } from './rendering/rendering.ts';
import { defaultServer, isSandboxed, senderOf } from './sender.ts';

/** A request whose texts and attachments may be packed. */
export type EmailToCompose = EmailRequest & { packed?: PackedContent };

/** Composes the e-mail of a request. @throws Problem 400 for every error of the request */
export type ComposeEmail = (client: Client, request: EmailToCompose) => Promise<ComposedEmail>;

interface EmailComposerDeps {
  rendering: Rendering;
  /** Returns null for an unknown name. */
  findTemplate(name: string): Promise<TemplateSource | null>;
  checkHost: CheckHost;
  clock: Clock;
  settings: Pick<MailSettings, 'sender' | 'smtp'>;
  /** Returns the URL of an e-mail's pixel; null = the operator disabled tracking. */
  pixelUrl: ((contentId: string) => string) | null;
}

const MAX_DELAY_MS = 366 * DAY;
const SECURITY = { None: 'none', StartTls: 'starttls', Tls: 'tls' } as const;

export function createEmailComposer(deps: EmailComposerDeps): ComposeEmail {
  const { rendering, findTemplate, checkHost, clock, settings, pixelUrl } = deps;

  /** @returns null when the request names none @throws Problem 400 */
  async function requestedTemplate({ TemplateName }: EmailRequest): Promise<TemplateSource | null> {
    if (TemplateName === undefined) return null;
    const found = await findTemplate(TemplateName.trim());
    if (!found) throw invalidField('TemplateName', 'there is no template with this name');
    return found;
  }

  async function build(client: Client, request: EmailToCompose, head: MailHead) {
    const template = await requestedTemplate(request);
    const { packed, Attachments: attachments = [] } = request;
    const owner = `client ${client.id}`;
    return packed
      ? await rendering.packedMail(owner, head, packed, template)
      : await rendering.mail(owner, head, { draft: requestDraft(request, template), attachments });
  }

  return async (client, request) => {
    const { to, cc, all } = readRecipients(request, client);
    const from = senderOf(request, client, settings.sender);
    const replyTo = request.ReplyTo === undefined ? null : readMailbox(request.ReplyTo, 'ReplyTo');
    const headers = readHeaders(request, client);
    const sendAt = readSendAt(request.SendAt, clock.now());
    const server = await readServer(request.SmtpConfiguration, client, checkHost);
    const rowId = newId();
    const built = await build(client, request, {
      headerId: headerIdOf(rowId, from),
      date: sendAt ?? clock.now(),
      ...{ from, to, cc, replyTo, headers, subject: 'refuse' },
      pixelUrl: request.TrackOpens && pixelUrl ? pixelUrl(rowId) : null,
    });
    const secret = secretOf(request.SmtpConfiguration);
    const sandbox = isSandboxed(server, settings);
    return composedEmail(built, { rowId, from, server, recipients: all, secret, sendAt, sandbox });
  };
}

/** @returns `all`: the addresses of the envelope, each once @throws Problem 400 that names `To`, `Cc` or `Bcc` */
function readRecipients(request: EmailRequest, client: Client) {
  const to = mailboxes(request.To, 'To');
  const cc = mailboxes(request.Cc, 'Cc');
  const bcc = mailboxes(request.Bcc, 'Bcc');
  const all = distinct([...to, ...cc, ...bcc]);
  if (all.length === 0) throw invalidField('To', 'is required, or Cc or Bcc');
  if (all.length > MAX_RECIPIENTS)
    throw invalidField('To', `To, Cc and Bcc must have at most ${MAX_RECIPIENTS} addresses`);
  const allowed = client.recipientsAllowed;
  const stranger = all.find((address) => allowed.length > 0 && !isListed(address, allowed));
  if (stranger) throw invalidField('To', `this client may not write to ${stranger}`);
  return { to, cc, all };
}

/** @throws Problem 400 that names a field of `SmtpConfiguration`, 400 `host_not_allowed` */
async function readServer(
  own: EmailRequest['SmtpConfiguration'],
  client: Client,
  checkHost: CheckHost,
): Promise<EmailPayload['server']> {
  if (!own) return defaultServer(client);
  if (own.Username === undefined && own.Password !== undefined)
    throw invalidField('SmtpConfiguration.Username', 'is required together with Password');
  if (own.Username !== undefined && own.Password === undefined)
    throw invalidField('SmtpConfiguration.Password', 'is required together with Username');
  const port = own.Port ?? (own.Security === 'Tls' ? 465 : 587);
  const addresses = await checkHost(own.Host, port);
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

/** @returns ms since the epoch; null for a time in the past */
function readSendAt(text: string | undefined, now: number): number | null {
  if (text === undefined) return null;
  const time = Date.parse(text);
  if (time > now + MAX_DELAY_MS) throw invalidField('SendAt', 'must be within a year');
  return time > now ? time : null;
}

function secretOf(own: EmailRequest['SmtpConfiguration']): string | undefined {
  if (own?.Username === undefined || own.Password === undefined) return undefined;
  return JSON.stringify({ username: own.Username, password: own.Password });
}
