import type { RequestBody } from '../../kernel/http/bodies/request-body.ts';
import type { App } from '../../kernel/http/context.ts';
import { deliveryHeaders, deliveryOptions } from '../../kernel/http/delivery-headers.ts';
import { endpoint } from '../../kernel/http/endpoint.ts';
import type { Client } from '../clients/clients.ts';
import type { ComposeEmail } from '../compose/email.ts';
import type { SendMails } from '../sending/send-mails.ts';
import type { ClientAuth } from './client-auth.ts';
import type { EmailBody } from './email-body/email-body.ts';
import { responseHeaders, sendResponses } from './responses.ts';

interface EmailRouteDeps {
  clientAuth: ClientAuth;
  body: RequestBody<EmailBody>;
  composeEmail: ComposeEmail;
  sendMails: SendMails;
}

const path = '/requestemail';

/** `POST /requestemail`: sends an e-mail. */
export function mountEmail(app: App, { clientAuth, body, composeEmail, sendMails }: EmailRouteDeps): void {
  endpoint(app, {
    method: 'post',
    path,
    operation: 'sendEmail',
    summary: 'Send an e-mail',
    tags: ['mail'],
    auth: clientAuth.clientOf('email'),
    headers: deliveryHeaders,
    body,
    responses: sendResponses,
    problems: [
      'invalid_template',
      'host_not_allowed',
      'idempotency_conflict',
      'rate_limited',
      'platform_rejected',
    ],
    // Not an async function: its frame would keep the large body in memory until the e-mail is delivered.
    handler({ caller, headers, body, releaseBody, reply }) {
      const delivery = deliveryOptions(headers);
      return compose(caller, body, delivery.idempotencyKey)
        .finally(releaseBody)
        .then((composed) => sendMails({ route: path, clientId: caller.id, delivery, ...composed }))
        .then((result) => reply(result.status, result.body, responseHeaders(result)));
    },
  });

  async function compose(client: Client, body: EmailBody, idempotencyKey: string | null) {
    const fingerprint = idempotencyKey === null ? '' : body.fingerprint();
    return { fingerprint, mails: [await composeEmail(client, body.request)] };
  }
}
