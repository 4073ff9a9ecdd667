import { invalidField } from '../../kernel/problem.ts';
import type { Client } from '../clients/clients.ts';
import type { EmailPayload } from '../payload.ts';
import type { MailSettings } from '../settings.ts';
import type { EmailRequest } from './email-request.ts';
import { isListed, type Mailbox, readHeaderText, readMailbox } from './mime/addresses.ts';

/** Sender of e-mails, all of them in the sandbox, on a server without mail settings. */
const NOBODY = 'Posthouse <posthouse@localhost>';

/**
 * Returns the From of an e-mail. With the caller's own SMTP server, any address is allowed, otherwise the senders of
 * this server and of the client.
 * @param serverSender POSTHOUSE_MAIL_FROM
 * @throws Problem 400 that names `From`
 */
export function senderOf(request: EmailRequest, client: Client, serverSender: string | null): Mailbox {
  const own = request.SmtpConfiguration;
  const fallback = defaultSender(client, serverSender);
  const ownField = request.From === undefined && own?.From !== undefined;
  const mailbox = readMailbox(
    request.From ?? own?.From ?? fallback,
    ownField ? 'SmtpConfiguration.From' : 'From',
  );
  const allowed = [client.sender, serverSender, fallback, ...client.sendersAllowed].filter(
    (entry) => entry !== null,
  );
  if (!own && !isListed(mailbox.address, allowed))
    throw invalidField('From', 'is not an address that this client may send from');
  return request.FromName === undefined
    ? mailbox
    : { ...mailbox, name: readHeaderText(request.FromName, 'FromName', 256) };
}

/** Returns the From of a client's e-mails that name none. */
export function defaultSender(client: Client, serverSender: string | null): string {
  return client.sender ?? serverSender ?? NOBODY;
}

/** Returns the SMTP server of a client's e-mails that name none. */
export function defaultServer(client: Client): EmailPayload['server'] {
  return client.has.smtp ? { kind: 'client' } : { kind: 'default' };
}

/** Reports whether e-mails over this server go to the sandbox, since the settings have no SMTP server. */
export function isSandboxed({ kind }: EmailPayload['server'], { smtp }: Pick<MailSettings, 'smtp'>): boolean {
  return kind === 'default' && smtp === null;
}
