import type { Database } from '../../kernel/database/database.ts';
import { newId } from '../../kernel/ids.ts';
import type { Client } from '../clients/clients.ts';
import { headerIdOf } from '../compose/composed-email.ts';
import { readMailbox } from '../compose/mime/addresses.ts';
import { defaultSender, defaultServer, isSandboxed } from '../compose/sender.ts';
import type { SendAnswer, SendResult } from '../sending/results.ts';
import type { MailSettings } from '../settings.ts';
import type { KeptForm, Spam } from '../spam.ts';

interface HoneypotDeps {
  database: Database;
  spam: Pick<Spam, 'keep'>;
  settings: Pick<MailSettings, 'sender' | 'smtp'>;
}

/**
 * Stores the form of a spam bot as spam. Returns the response of a sent form, so that the bot cannot detect
 * the honeypot.
 */
export type CatchSpam = (client: Client, form: KeptForm) => Promise<SendResult>;

export function createHoneypot({ database, spam, settings }: HoneypotDeps): CatchSpam {
  return async (client, { request, visitor }) => {
    const form = { request: { ...request, ChallengeToken: undefined }, visitor };
    await database.transaction((trx) => spam.keep(trx, client.id, 'honeypot', form));
    const body: SendAnswer = {
      Id: newId(),
      Status: 'Sent',
      MessageId: headerIdOf(newId(), readMailbox(defaultSender(client, settings.sender), 'From')),
      Recipients: [],
      ...(isSandboxed(defaultServer(client), settings) ? { sandbox: true } : {}),
    };
    return { status: 200, body };
  };
}
