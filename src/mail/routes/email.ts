import type { Clock } from '../../kernel/clock.ts';
import { hashToken } from '../../kernel/crypto/vault.ts';
import type { App } from '../../kernel/http/context.ts';
import { endpoint } from '../../kernel/http/endpoint.ts';
import { type Accept, fingerprintOf, readDeliveryWishes } from '../../kernel/outbox/acceptance.ts';
import type { NewMessage } from '../../kernel/outbox/message.ts';
import type { Client } from '../clients.ts';
import type { ComposedEmail, ComposeEmail } from '../compose/email.ts';
import { type EmailRequest, emailRequestSchema } from '../compose/email-request.ts';
import type { Contents } from '../contents.ts';
import type { Authenticate } from '../credentials.ts';
import { EMAIL_KIND } from '../transports/smtp.ts';
import { emailAnswer, respond, sendAnswerSchema } from './answers.ts';
import type { WithBody } from './bodies.ts';
import { callerOf, credentialsSchema, fieldsOf } from './callers.ts';

interface EmailRouteParts {
  authenticate: Authenticate;
  composeEmail: ComposeEmail;
  contents: Contents;
  accept: Accept;
  withBody: WithBody;
  clock: Clock;
  /** The server has an SMTP server of its own. */
  configured: boolean;
}

/** `POST /requestemail`: takes a mail and sends it. */
export function mountEmail(app: App, { authenticate, composeEmail, contents, accept, withBody, clock, configured }: EmailRouteParts): void {
  endpoint(
    app,
    'post',
    '/requestemail',
    {
      summary: 'Send a mail',
      tags: ['mail'],
      body: { 'application/json': credentialsSchema.extend(emailRequestSchema.shape) },
      answers: {
        200: { description: 'The mail server took it, for some recipients at least.', schema: sendAnswerSchema },
        202: { description: 'It is stored, and will be sent.', schema: sendAnswerSchema },
      },
      problems: [
        'invalid_request',
        'invalid_template',
        'host_not_allowed',
        'bad_client',
        'service_not_allowed',
        'idempotency_conflict',
        'body_too_large',
        'unsupported_media_type',
        'too_many_attempts',
        'rate_limited',
        'platform_rejected',
      ],
    },
    async (c) => {
      const wishes = readDeliveryWishes(c);
      const taken = await withBody(c, async (body) => {
        const client = await callerOf(c, body, authenticate, 'email');
        const request = fieldsOf(emailRequestSchema, body);
        const fingerprint = wishes.idempotencyKey === null ? '' : fingerprintOf(withoutSecrets(request));
        return { client, fingerprint, mail: await composeEmail(client, request) };
      });
      const { client, fingerprint, mail } = taken;
      const sandbox = mail.payload.server.kind === 'default' && !configured;
      let ownId: string | null = null;
      const answer = await accept({
        route: '/requestemail',
        clientId: client.id,
        delivery: { ...wishes, async: wishes.async || mail.sendAt !== null },
        fingerprint,
        compose(messageId) {
          ownId = messageId;
          return [emailRow(mail, client, messageId, sandbox)];
        },
        store: (trx) => contents.add(trx, mail.rowId, mail.mime, mail.sendAt ?? clock.now()),
        answer: (messageId, parts) => emailAnswer(messageId, messageId === ownId ? mail.payload : null, parts, sandbox, mail.sendAt),
      });
      return respond(c, answer);
    },
  );
}

/** The outbox row of a mail. */
export function emailRow(mail: ComposedEmail, client: Client, messageId: string, sandbox: boolean): NewMessage {
  return {
    id: mail.rowId,
    messageId,
    part: 0,
    kind: EMAIL_KIND,
    clientId: client.id,
    lane: null,
    payload: mail.payload,
    secret: mail.secret,
    notBefore: mail.sendAt ?? undefined,
    sandbox,
  };
}

/** The request for the fingerprint: without the password, and with the large contents by their hash. */
function withoutSecrets({ SmtpConfiguration, Attachments, ...rest }: EmailRequest): unknown {
  const { Password: _, ...server } = SmtpConfiguration ?? {};
  return { ...rest, server, attachments: Attachments?.map(({ Content, ...attachment }) => ({ ...attachment, hash: hashToken(Content) })) };
}
