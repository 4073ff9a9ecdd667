import { inLanguages, type Language } from '../../kernel/language.ts';
import type { Client } from '../clients/clients.ts';
import type { Mailbox } from './mime/addresses.ts';
import type { MailContent, MailHead } from './mime/build-mail.ts';

/** An e-mail of a contact form, without its sender. */
export type ContactMail = Pick<MailHead, 'to' | 'replyTo' | 'headers'> & { content: MailContent };

const english = {
  subject: 'We received your message',
  text: (client: string) => `Thank you. ${client} received your message and will reply to it.\n`,
};
const textsOf = inLanguages(english, {
  de: {
    subject: 'Ihre Nachricht ist angekommen',
    text: (client) => `Danke. Ihre Nachricht an ${client} ist angekommen und wird beantwortet.\n`,
  },
});

/**
 * Returns the e-mail to the visitor of a contact form. It contains no text of the form, which could otherwise send any
 * text to a third party.
 */
export function confirmationOf(client: Client, to: Mailbox, language: Language): ContactMail {
  const texts = textsOf(language);
  const plain = (source: string) => ({ source, isLiquid: false, field: 'contact-form' });
  return {
    to: [{ address: to.address, name: '' }],
    replyTo: null,
    headers: { 'Auto-Submitted': 'auto-replied' },
    content: {
      draft: {
        subject: plain(texts.subject),
        html: null,
        text: plain(texts.text(client.name)),
        data: {},
        strict: false,
      },
      attachments: [],
    },
  };
}
