import type { Clock } from '../../kernel/clock.ts';
import { newId } from '../../kernel/ids.ts';
import { inLanguages, preferredLanguage } from '../../kernel/language.ts';
import { Problem } from '../../kernel/problem.ts';
import type { Client } from '../clients/clients.ts';
import type { Geoip } from '../geoip.ts';
import type { MailSettings } from '../settings.ts';
import { localized } from '../templates/localized.ts';
import { type ComposedEmail, composedEmail, headerIdOf } from './composed-email.ts';
import { type ContactMail, confirmationOf } from './confirmation.ts';
import type { ContactRequest } from './contact-request.ts';
import { type Mailbox, readHeaderText, readMailbox } from './mime/addresses.ts';
import type { MailContent } from './mime/build-mail.ts';
import { type TemplateSource, templateDraft } from './rendering/draft.ts';
import type { Rendering } from './rendering/rendering.ts';
import { defaultSender, defaultServer, isSandboxed } from './sender.ts';
import { answerRows, systemLabels, systemRows, type Visitor } from './system-info.ts';

/** The e-mails of a contact form. */
export interface ContactMails {
  /** The e-mail to the client's `contactTo`, in its `contactLanguage`. */
  form: ComposedEmail;
  /** The e-mail to the visitor, in the language of the browser; null = the client has not enabled it. */
  confirmation: ComposedEmail | null;
}

export type ComposeContact = (
  client: Client,
  request: ContactRequest,
  visitor: Visitor,
) => Promise<ContactMails>;

interface ContactComposerDeps {
  rendering: Rendering;
  findTemplate(name: string): Promise<TemplateSource | null>;
  geoip: Geoip;
  clock: Clock;
  settings: Pick<MailSettings, 'sender' | 'smtp'>;
}

const TEMPLATE = 'contact-form';

const english = { name: 'Name', email: 'E-mail', phone: 'Phone' };
const labelsOf = inLanguages(english, { de: { name: 'Name', email: 'E-Mail', phone: 'Telefon' } });

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
    const language = preferredLanguage(visitor.language ?? undefined);
    if (client.contactTo.length === 0)
      throw new Problem('service_not_allowed', 'This client has no recipients for its contact form.');
    const from = readMailbox(defaultSender(client, deps.settings.sender), 'From');
    const form = {
      to: client.contactTo.map((address) => readMailbox(address, 'contactTo')),
      replyTo: { address: replyTo.address, name: name || replyTo.name },
      headers: {},
      content: await contentOf(client, request, fields, visitor, deps),
    };
    return {
      form: await compose(client, from, form, deps),
      confirmation: client.contactAcknowledges
        ? await compose(client, from, confirmationOf(client, replyTo, language), deps)
        : null,
    };
  };
}

async function compose(
  client: Client,
  from: Mailbox,
  { content, ...head }: ContactMail,
  { rendering, clock, settings }: ContactComposerDeps,
): Promise<ComposedEmail> {
  const rowId = newId();
  const headerId = headerIdOf(rowId, from);
  const built = await rendering.mail(
    `client ${client.id}`,
    { headerId, date: clock.now(), from, cc: [], subject: 'shorten', pixelUrl: null, ...head },
    content,
  );
  const recipients = head.to.map(({ address }) => address);
  const server = defaultServer(client);
  const sandbox = isSandboxed(server, settings);
  const envelope = { rowId, from, server, recipients, secret: undefined, sendAt: null, sandbox };
  const mail = composedEmail(built, envelope);
  return { ...mail, payload: { ...mail.payload, isForm: true } };
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

async function contentOf(
  client: Client,
  request: ContactRequest,
  { replyTo, name, phone, subject }: Fields,
  visitor: Visitor,
  deps: ContactComposerDeps,
): Promise<MailContent> {
  const language = client.contactLanguage;
  const labels = labelsOf(language);
  const system = request.IncludeSystemInfo ? await systemRows(visitor, language, deps) : [];
  const templateName = localized(TEMPLATE, language);
  const template = await deps.findTemplate(templateName);
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
      { name: labels.name, value: name },
      { name: labels.email, value: replyTo.address },
      { name: labels.phone, value: phone },
    ].filter(({ value }) => value !== ''),
    fields: answerRows(request.Fields ?? {}),
    system,
    credit: deps.geoip.credit && system.some((row) => row.name === systemLabels(language).place),
  };
  return { draft: templateDraft(template, { data, field: templateName }), attachments: [] };
}
