import { hashToken } from '../../kernel/crypto/vault.ts';
import type { App, Ctx } from '../../kernel/http/context.ts';
import { deliveryHeaders, deliveryOptions } from '../../kernel/http/delivery-headers.ts';
import { endpoint } from '../../kernel/http/endpoint.ts';
import { json, type RawBody } from '../../kernel/http/request-body.ts';
import { fingerprintOf } from '../../kernel/outbox/idempotency.ts';
import type { Client } from '../clients.ts';
import type { ComposeEmail } from '../compose/email.ts';
import { type EmailRequest, emailRequestSchema } from '../compose/email-request.ts';
import { noStore, sendAnswers } from './answers.ts';
import { type ClientAuth, credentialsSchema, withoutCredentials } from './client-auth.ts';
import type { SendMails } from './send-mails.ts';

interface EmailRouteDeps {
  clientAuth: ClientAuth;
  readLargeJson(c: Ctx): Promise<RawBody>;
  composeEmail: ComposeEmail;
  sendMails: SendMails;
}

const path = '/requestemail';

/** `POST /requestemail`: sends a mail. */
export function mountEmail(
  app: App,
  { clientAuth, readLargeJson, composeEmail, sendMails }: EmailRouteDeps,
): void {
  endpoint(app, {
    method: 'post',
    path,
    operation: 'sendEmail',
    summary: 'Send a mail',
    tags: ['mail'],
    auth: clientAuth.clientOf('email'),
    headers: deliveryHeaders,
    body: withoutCredentials(
      json(credentialsSchema.extend(emailRequestSchema.shape), { read: readLargeJson }),
    ),
    answers: sendAnswers,
    problems: [
      'invalid_template',
      'host_not_allowed',
      'idempotency_conflict',
      'rate_limited',
      'platform_rejected',
    ],
    // Not an async function: its frame would keep the large body in memory until the mail is delivered.
    handler({ caller, headers, body, releaseBody, reply }) {
      const delivery = deliveryOptions(headers);
      return compose(caller, body, delivery.idempotencyKey)
        .finally(releaseBody)
        .then((composed) => sendMails({ route: path, clientId: caller.id, delivery, ...composed }))
        .then((result) => reply(result.status, result.body, noStore));
    },
  });

  async function compose(client: Client, request: EmailRequest, idempotencyKey: string | null) {
    const fingerprint = idempotencyKey === null ? '' : fingerprintOf(withoutSecrets(request));
    return { fingerprint, mails: [await composeEmail(client, request)] };
  }
}

/** The content that a repeat must have: without the password, with hashes of attachments for their bytes. */
function withoutSecrets({ SmtpConfiguration, Attachments, ...rest }: EmailRequest): unknown {
  const { Password: _, ...server } = SmtpConfiguration ?? {};
  return {
    ...rest,
    server,
    attachments: Attachments?.map(({ Content, ...attachment }) => ({
      ...attachment,
      hash: hashToken(Content),
    })),
  };
}
