import { form } from '../../kernel/http/bodies/form-body.ts';
import type { App } from '../../kernel/http/context.ts';
import { deliveryHeaders, deliveryOptions } from '../../kernel/http/delivery-headers.ts';
import { endpoint } from '../../kernel/http/endpoint.ts';
import { fingerprintFor } from '../../kernel/outbox/idempotency.ts';
import { Problem } from '../../kernel/problem.ts';
import { verifyChallenge } from '../challenge.ts';
import type { Client, Clients } from '../clients/clients.ts';
import type { ComposeContact } from '../compose/contact.ts';
import { type ContactRequest, contactRequestSchema } from '../compose/contact-request.ts';
import type { Visitor } from '../compose/system-info.ts';
import type { Confirmations } from '../sending/confirmations.ts';
import type { SendResult } from '../sending/results.ts';
import type { SendMails } from '../sending/send-mails.ts';
import { type ClientAuth, credentialsSchema, withoutCredentials } from './client-auth.ts';
import { FORM_TYPES, readContactForm } from './forms.ts';
import type { CatchSpam } from './honeypot.ts';
import { HIDDEN_REASON, sendResponses } from './responses.ts';
import { answerForm, noteFormPage } from './visitor-pages.ts';
import type { Visitors } from './visitors.ts';

interface ContactRouteDeps {
  clientAuth: ClientAuth;
  clients: Clients;
  composeContact: ComposeContact;
  confirmations: Confirmations;
  sendMails: SendMails;
  visitors: Visitors;
  catchSpam: CatchSpam;
  /** Reports whether a client allows pages of `origin`. */
  allows(origin: string): Promise<boolean>;
}

const path = '/sendcontactusform';

/** `POST /sendcontactusform`: sends a form, filled in by a visitor of a website, to the `contactTo` of the client. */
export function mountContact(app: App, deps: ContactRouteDeps): void {
  const { clientAuth, clients, composeContact, confirmations, sendMails, visitors, catchSpam } = deps;
  noteFormPage(app, path, deps.allows);

  endpoint(app, {
    method: 'post',
    path,
    operation: 'sendContactForm',
    summary: 'Send a contact form',
    tags: ['mail'],
    auth: clientAuth.clientOf('contact'),
    headers: deliveryHeaders,
    body: withoutCredentials(
      form(credentialsSchema.extend(contactRequestSchema.shape), FORM_TYPES, readContactForm),
    ),
    responses: {
      ...sendResponses,
      303: { description: 'For browsers that post the form: the page `redirectUrl` of the client.' },
    },
    problems: [
      'cross_site_request',
      'invalid_template',
      'idempotency_conflict',
      'rate_limited',
      'platform_rejected',
    ],
    async handler({ c, caller, headers, body }) {
      const visitor = await visitors.admit(c, caller, body.SystemInfo);
      if (body.Website?.trim())
        return await answerForm(c, caller, await catchSpam(caller, { request: body, visitor }));
      await requireChallenge(caller, body, visitor);
      const delivery = deliveryOptions(headers);
      const mails = await composeContact(caller, body, visitor);
      const sending = sendMails({
        route: path,
        clientId: caller.id,
        delivery,
        fingerprint: fingerprintFor(delivery, () => ({ ...body, ChallengeToken: undefined })),
        mails: [mails.form],
        addMore: (trx, message) => confirmations.add(trx, mails, message),
      });
      return await answerForm(c, caller, await withoutRecipients(sending));
    },
  });

  async function requireChallenge(client: Client, request: ContactRequest, visitor: Visitor): Promise<void> {
    if (client.challengeUrl === null) return;
    const secret = (await clients.challengeSecret(client.id)) ?? '';
    await verifyChallenge(client.challengeUrl, secret, request.ChallengeToken, visitor.address);
  }
}

/**
 * Removes the recipients of a form, which are hidden from callers, and replies of the mail server, which often repeat
 * an address.
 */
async function withoutRecipients(sending: Promise<SendResult>): Promise<SendResult> {
  try {
    const { status, body } = await sending;
    return { status, body: { ...body, Recipients: [] } };
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'platform_rejected') throw error;
    throw new Problem('platform_rejected', `${HIDDEN_REASON}.`, { cause: error });
  }
}
