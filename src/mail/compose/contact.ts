import type { Clock } from '../../kernel/clock.ts';
import { newId } from '../../kernel/ids.ts';
import { Problem } from '../../kernel/problem.ts';
import type { Client } from '../clients.ts';
import type { Geoip } from '../geoip.ts';
import { type Mailbox, readHeaderText, readMailbox } from './addresses.ts';
import type { ContactRequest } from './contact-request.ts';
import type { EmailContent, RenderTemplate, TemplateSource } from './content.ts';
import { type ComposedEmail, composeMail, type MailFields } from './mime.ts';
import { defaultSender, defaultServer } from './sender.ts';
import { fieldRows, systemRows, type Visitor } from './system-info.ts';

/** Composes the mail to the client's `contactTo`, and the confirmation to the visitor if the client wants one. */
export type ComposeContact = (
  client: Client,
  request: ContactRequest,
  visitor: Visitor,
) => Promise<ComposedEmail[]>;

interface ContactComposerDeps {
  renderTemplate: RenderTemplate;
  findTemplate(name: string): Promise<TemplateSource | null>;
  geoip: Geoip;
  clock: Clock;
  serverSender: string | null;
}

const TEMPLATE = 'contact-form';

/** The fields of a form that become header fields too. */
interface Fields {
  replyTo: Mailbox;
  name: string;
  phone: string;
  subject: string;
}

export function createContactComposer(deps: ContactComposerDeps): ComposeContact {
  return async (client, request, visitor) => {
    const fields = readFields(request);
    const { replyTo, name } = fields;
    if (client.contactTo.length === 0)
      throw new Problem('service_not_allowed', 'This client has no address that receives its contact form.');
    const content = await render(client, request, fields, visitor, deps);
    const from = readMailbox(defaultSender(client, deps.serverSender), 'From');
    const common = { date: new Date(deps.clock.now()), from, cc: [], attachments: [] };
    const mails: MailFields[] = [
      {
        ...common,
        to: client.contactTo.map((address) => readMailbox(address, 'contactTo')),
        replyTo: { address: replyTo.address, name: name || replyTo.name },
        ...content,
        subject: content.subject.replace(/\s+/g, ' ').slice(0, 900),
        headers: {},
      },
    ];
    if (client.contactAcknowledges) mails.push({ ...common, ...confirmation(client, replyTo) });
    const server = defaultServer(client);
    const composed: ComposedEmail[] = [];
    for (const mail of mails) {
      const recipients = mail.to.map(({ address }) => address);
      const envelope = { rowId: newId(), server, recipients, secret: undefined, sendAt: null };
      composed.push(await composeMail(mail, envelope));
    }
    return composed;
  };
}

/** @throws Problem 400 that names the field */
function readFields(request: ContactRequest): Fields {
  return {
    replyTo: readMailbox(request.Email, 'Email'),
    name: readHeaderText(request.Name?.trim() ?? '', 'Name', 200),
    phone: readHeaderText(request.Phone?.trim() ?? '', 'Phone', 100),
    subject: readHeaderText(request.Subject?.trim() ?? '', 'Subject', 500),
  };
}

async function render(
  client: Client,
  request: ContactRequest,
  { replyTo, name, phone, subject }: Fields,
  visitor: Visitor,
  { renderTemplate, findTemplate, geoip, clock }: ContactComposerDeps,
): Promise<EmailContent> {
  const system = request.IncludeSystemInfo ? await systemRows(visitor, clock.now(), geoip) : [];
  const template = await findTemplate(TEMPLATE);
  if (!template) throw new Error('the bundled template of the contact form is missing');
  const data = {
    client: client.name,
    name,
    email: replyTo.address,
    phone,
    // Liquid treats an empty text as true.
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
    credit: geoip.credit && system.some((row) => row.name === 'Place'),
  };
  return await renderTemplate(template, data, false, 'contact-form');
}

/** Contains nothing from the form, so that it cannot carry anybody's text to a stranger. */
function confirmation(client: Client, to: Mailbox) {
  return {
    to: [{ address: to.address, name: '' }],
    replyTo: null,
    subject: 'We have your message',
    text: `Thank you. Your message to ${client.name} has arrived, and somebody will answer it.\n`,
    html: null,
    headers: { 'Auto-Submitted': 'auto-replied' },
  };
}
