import type { Clock } from '../../kernel/clock.ts';
import type { Database } from '../../kernel/database/database.ts';
import { newIdAt } from '../../kernel/ids.ts';
import type { Outbox } from '../../kernel/outbox/outbox.ts';
import { notFound } from '../../kernel/problem.ts';
import type { Clients } from '../clients/clients.ts';
import type { ComposeContact } from '../compose/contact.ts';
import type { Contents } from '../contents.ts';
import { EMAIL_KIND } from '../payload.ts';
import type { Spam } from '../spam.ts';
import type { Confirmations } from './confirmations.ts';
import { mailRows } from './mail-rows.ts';

interface ReleaseSpamDeps {
  database: Database;
  outbox: Outbox;
  clients: Clients;
  composeContact: ComposeContact;
  confirmations: Confirmations;
  contents: Contents;
  spam: Spam;
  clock: Clock;
}

/**
 * Sends a contact form that was blocked as spam. Returns the id of its message.
 * @throws Problem 404, 403 `service_not_allowed` when the client has no recipients for its form
 */
export type ReleaseSpam = (formId: string) => Promise<string>;

export function createReleaseSpam(deps: ReleaseSpamDeps): ReleaseSpam {
  const { database, outbox, clients, composeContact, confirmations, contents, spam, clock } = deps;
  return async (formId) => {
    const stored = await spam.find(formId);
    const client = stored && (await clients.find(stored.clientId));
    if (!client) throw notFound();
    const mails = await composeContact(client, stored.form.request, stored.form.visitor);
    const message = { messageId: newIdAt(clock.now()), clientId: client.id };
    await database.transaction(async (trx) => {
      if (!(await spam.remove(trx, stored.id))) throw notFound();
      await outbox.add(trx, mailRows([mails.form], message));
      await contents.add(trx, mails.form, clock.now());
      await confirmations.add(trx, mails, message);
    });
    outbox.wake(EMAIL_KIND);
    return message.messageId;
  };
}
