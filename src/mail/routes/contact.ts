import type { Clock } from '../../kernel/clock.ts';
import type { Database } from '../../kernel/database/database.ts';
import { limitKey } from '../../kernel/http/address.ts';
import type { App, Ctx } from '../../kernel/http/context.ts';
import { endpoint } from '../../kernel/http/endpoint.ts';
import { Problem, tooMany } from '../../kernel/http/problem.ts';
import { newId } from '../../kernel/ids.ts';
import { createRateLimit } from '../../kernel/limits/rates.ts';
import { type Accept, fingerprintOf, readDeliveryWishes } from '../../kernel/outbox/acceptance.ts';
import { verifyChallenge } from '../challenge.ts';
import type { Client, Clients } from '../clients.ts';
import type { ComposeContact } from '../compose/contact.ts';
import { contactRequestSchema } from '../compose/contact-request.ts';
import { type Visitor, visitorOf } from '../compose/system-info.ts';
import type { Contents } from '../contents.ts';
import type { Authenticate } from '../credentials.ts';
import type { KeptForm, Spam } from '../spam.ts';
import { emailAnswer, respond, sendAnswerSchema } from './answers.ts';
import { callerOf, credentialsSchema, fieldsOf } from './callers.ts';
import { emailRow } from './email.ts';
import { readForm } from './forms.ts';

interface ContactRouteParts {
  authenticate: Authenticate;
  clients: Clients;
  composeContact: ComposeContact;
  contents: Contents;
  spam: Spam;
  accept: Accept;
  database: Database;
  clock: Clock;
  /** The server has an SMTP server of its own. */
  configured: boolean;
  /** POSTHOUSE_CORS_ORIGINS. */
  corsOrigins: readonly string[];
  publicUrl: string;
}

/** `POST /sendcontactusform`: takes what a visitor of a website wrote and sends it to the client's own people. */
export function mountContact(app: App, parts: ContactRouteParts): void {
  const { authenticate, clients, composeContact, contents, spam, accept, database, clock, configured, corsOrigins, publicUrl } = parts;
  const limitVisitor = createVisitorLimit(clock);

  endpoint(
    app,
    'post',
    '/sendcontactusform',
    {
      summary: 'Send what a visitor wrote in a contact form',
      tags: ['mail'],
      body: {
        'application/json': credentialsSchema.extend(contactRequestSchema.shape),
        'application/x-www-form-urlencoded': credentialsSchema.extend(contactRequestSchema.shape),
      },
      answers: {
        200: { description: 'The mail server took it.', schema: sendAnswerSchema },
        202: { description: 'It is stored, and will be sent.', schema: sendAnswerSchema },
      },
      problems: [
        'invalid_request',
        'bad_client',
        'service_not_allowed',
        'cross_site_request',
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
      const body = await readForm(c);
      const client = await callerOf(c, body, authenticate, 'contact');
      refuseStrangeOrigin(c, client);
      const request = fieldsOf(contactRequestSchema, body);
      const visitor = visitorOf(seenOf(c), request.SystemInfo);
      limitVisitor(client, c.get('address'), visitor);
      const sandbox = !client.has.smtp && !configured;
      if (request.Website?.trim()) return respond(c, await keepAsSpam(client, { request, visitor }, sandbox));
      if (client.challengeUrl !== null) {
        await verifyChallenge(
          client.challengeUrl,
          (await clients.challengeSecret(client.id)) ?? '',
          request.ChallengeToken,
          visitor.address,
        );
      }
      const mails = await composeContact(client, request, visitor);
      const [letter] = mails;
      let ownId: string | null = null;
      const answer = await accept({
        route: '/sendcontactusform',
        clientId: client.id,
        delivery: wishes,
        fingerprint: wishes.idempotencyKey === null ? '' : fingerprintOf({ ...request, ChallengeToken: undefined }),
        compose(messageId) {
          ownId = messageId;
          return mails.map((mail, part) => ({ ...emailRow(mail, client, messageId, sandbox), part }));
        },
        async store(trx) {
          for (const mail of mails) await contents.add(trx, mail.rowId, mail.mime, clock.now());
        },
        answer: (messageId, rows) =>
          emailAnswer(messageId, messageId === ownId ? (letter?.payload ?? null) : null, rows.slice(0, 1), sandbox, null),
      });
      return respond(c, fromPage(c) ? { ...answer, body: { ...(answer.body as object), Recipients: [] } } : answer);
    },
  );

  /** A client that names the origins of its pages is used by those alone, and by programs, which send none. */
  function refuseStrangeOrigin(c: Ctx, client: Client): void {
    const origin = c.req.header('Origin');
    if (origin === undefined || client.origins.length === 0) return;
    if ([...client.origins, ...corsOrigins, new URL(publicUrl).origin].includes(origin)) return;
    throw new Problem('cross_site_request', 'Pages of this origin may not use this client.');
  }

  /** Answers as if it were sent, so that a robot learns nothing. */
  async function keepAsSpam(client: Client, { request, visitor }: KeptForm, sandbox: boolean) {
    const form: KeptForm = { request: { ...request, ChallengeToken: undefined }, visitor };
    await database.transaction((trx) => spam.keep(trx, client.id, 'honeypot', form));
    const body = {
      Id: newId(),
      Status: 'Sent',
      MessageId: `<${newId()}@${new URL(publicUrl).hostname}>`,
      Recipients: [],
      ...(sandbox ? { sandbox: true } : {}),
    };
    return { status: 200, body };
  }
}

/** Pages are read by anybody, so they are not told who receives the form. */
function fromPage(c: Ctx): boolean {
  return c.req.header('Origin') !== undefined;
}

function seenOf(c: Ctx): Omit<Visitor, 'reported' | 'more'> {
  return {
    address: c.get('address'),
    userAgent: c.req.header('User-Agent') ?? null,
    language: c.req.header('Accept-Language') ?? null,
    referrer: c.req.header('Referer') ?? null,
  };
}

/** Counts the visitor's address, and the peer's too, since what a back end reports could be made up. */
function createVisitorLimit(clock: Clock) {
  const visitors = createRateLimit({ burst: 20, perMinute: 2, clock });
  const peers = createRateLimit({ burst: 200, perMinute: 60, clock });
  return (client: Client, peer: string, visitor: Visitor): void => {
    const wait = peers.take(`${client.id} ${limitKey(peer)}`) || visitors.take(`${client.id} ${limitKey(visitor.address)}`);
    if (wait > 0) throw tooMany('rate_limited', 'Too many messages from one address. Wait before the next.', wait);
  };
}
