import { invalidField } from '../../kernel/http/problem.ts';
import type { Client } from '../clients.ts';
import { isListed, type Mailbox, readHeaderText, readMailbox } from './addresses.ts';
import type { EmailRequest } from './email-request.ts';

/** What a server without settings signs its (sandboxed) mails with. */
const NOBODY = 'Posthouse <posthouse@localhost>';

/**
 * Who the mail is from. Over our server that is the server's sender, the client's, or one of those it may use; over the
 * caller's own server anyone.
 * @param serverSender POSTHOUSE_MAIL_FROM
 * @throws Problem 400 that names `From`
 */
export function senderOf(request: EmailRequest, client: Client, serverSender: string | null): Mailbox {
  const own = request.SmtpConfiguration;
  const fallback = defaultSender(client, serverSender);
  const mailbox =
    request.From !== undefined
      ? readMailbox(request.From, 'From')
      : own?.From !== undefined
        ? readMailbox(own.From, 'SmtpConfiguration.From')
        : readMailbox(fallback, 'From');
  const allowed = [client.sender, serverSender, fallback, ...client.sendersAllowed].filter((entry) => entry !== null);
  if (!own && !isListed(mailbox.address, allowed)) throw invalidField('From', 'is not an address that this client may send from');
  return request.FromName === undefined ? mailbox : { ...mailbox, name: readHeaderText(request.FromName, 'FromName', 256) };
}

/** Who a client's mails are from when it does not say. */
export function defaultSender(client: Client, serverSender: string | null): string {
  return client.sender ?? serverSender ?? NOBODY;
}
