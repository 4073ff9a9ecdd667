import type { Clock } from '../../kernel/clock.ts';
import { Problem } from '../../kernel/http/problem.ts';
import { newId } from '../../kernel/ids.ts';
import type { Client } from '../clients.ts';
import type { Places } from '../places.ts';
import { domainOf, type Mailbox, readHeaderText, readMailbox } from './addresses.ts';
import type { ContactRequest } from './contact-request.ts';
import type { RenderTemplate, TemplateSource } from './content.ts';
import type { ComposedEmail } from './email.ts';
import { buildMime } from './mime.ts';
import { defaultSender } from './sender.ts';
import { fieldRows, systemRows, type Visitor } from './system-info.ts';

/** The mail to the client's own people, and the one that thanks the visitor, where the client wants that. */
export type ComposeContact = (client: Client, request: ContactRequest, visitor: Visitor) => Promise<ComposedEmail[]>;

interface ContactParts {
  renderTemplate: RenderTemplate;
  findTemplate(name: string): Promise<TemplateSource | null>;
  places: Places;
  clock: Clock;
  /** POSTHOUSE_MAIL_FROM. */
  serverSender: string | null;
}

const TEMPLATE = 'contact-form';

export function createContactComposer({ renderTemplate, findTemplate, places, clock, serverSender }: ContactParts): ComposeContact {
  return async (client, request, visitor) => {
    const replyTo = readMailbox(request.Email, 'Email');
    const name = readHeaderText(request.Name?.trim() ?? '', 'Name', 200);
    const phone = readHeaderText(request.Phone?.trim() ?? '', 'Phone', 100);
    const subject = readHeaderText(request.Subject?.trim() ?? '', 'Subject', 500);
    if (client.contactTo.length === 0) {
      throw new Problem('service_not_allowed', 'This client has no address that receives its contact form.');
    }
    const system = request.IncludeSystemInfo ? await systemRows(visitor, clock.now(), places) : [];
    const template = await findTemplate(TEMPLATE);
    if (!template) throw new Error('the bundled template of the contact form is missing');
    const content = renderTemplate(
      template,
      {
        client: client.name,
        name,
        email: replyTo.address,
        phone,
        // Liquid takes an empty text for true.
        subject: subject === '' ? null : subject,
        message: request.Message,
        lines: request.Message.split(/\r\n|[\r\n]/),
        contact: [
          { name: 'Name', value: name },
          { name: 'E-mail', value: replyTo.address },
          { name: 'Phone', value: phone },
        ].filter(({ value }) => value !== ''),
        fields: fieldRows(request.Fields ?? {}),
        system,
        credit: places.credit && system.some((row) => row.name === 'Place'),
      },
      false,
      'contact-form',
    );
    const from = readMailbox(defaultSender(client, serverSender), 'From');
    const letter = await compose(client, {
      from,
      to: client.contactTo.map((address) => readMailbox(address, 'contactTo')),
      replyTo: { address: replyTo.address, name: name || replyTo.name },
      ...content,
      subject: content.subject.replace(/\s+/g, ' ').slice(0, 900),
      headers: {},
    });
    return client.contactAcknowledges ? [letter, await compose(client, acknowledgement(client, from, replyTo))] : [letter];
  };

  interface Letter {
    from: Mailbox;
    to: Mailbox[];
    replyTo: Mailbox | null;
    subject: string;
    text: string;
    html: string | null;
    headers: Record<string, string>;
  }

  async function compose(client: Client, letter: Letter): Promise<ComposedEmail> {
    const rowId = newId();
    const headerId = `<${rowId}@${domainOf(letter.from.address)}>`;
    const mime = await buildMime({ ...letter, headerId, date: new Date(clock.now()), cc: [], attachments: [] });
    return {
      rowId,
      payload: {
        contentId: rowId,
        headerId,
        from: letter.from.address,
        subject: letter.subject,
        server: client.has.smtp ? { kind: 'client' } : { kind: 'default' },
        recipients: letter.to.map(({ address }) => ({ address, status: 'Queued', error: null })),
      },
      mime,
      secret: undefined,
      sendAt: null,
    };
  }

  /** Repeats nothing of what was written, so that it cannot carry anybody's text to a stranger. */
  function acknowledgement(client: Client, from: Mailbox, to: Mailbox): Letter {
    return {
      from,
      to: [{ address: to.address, name: '' }],
      replyTo: null,
      subject: 'We have your message',
      text: `Thank you. Your message to ${client.name} has arrived, and somebody will answer it.\n`,
      html: null,
      headers: { 'Auto-Submitted': 'auto-replied' },
    };
  }
}
