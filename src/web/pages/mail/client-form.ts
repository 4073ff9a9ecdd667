import {
  combinesContact,
  type MailClient,
  type MailClientSettings,
  type MailService,
  type NewMailClient,
  type SmtpSettings,
} from '../../api/mail.ts';
import type { useApiForm } from '../../components/useApiForm.ts';

/** The fields of a mail client. Lists have one entry per line; a secret that is '' stays unchanged, null removes it. */
export interface ClientFormValues {
  name: string;
  services: MailService[];
  sender: string;
  sendersAllowed: string;
  recipientsAllowed: string;
  contactTo: string;
  contactLanguage: MailClientSettings['contactLanguage'];
  contactAcknowledges: boolean;
  challengeUrl: string;
  challengeSecret: string | null;
  telegramToken: string | null;
  /** The contact form is called by a program, never by a page. */
  serverOnly: boolean;
  origins: string;
  redirectUrl: string;
  limits: { second: number | string; hour: number | string; day: number | string };
  hasSmtp: boolean;
  smtp: {
    host: string;
    port: number | string;
    security: SmtpSettings['security'];
    credentials: { username: string; password: string };
  };
}

export type ClientForm = ReturnType<typeof useApiForm<ClientFormValues>>;

const NEW_CLIENT: ClientFormValues = {
  name: '',
  services: [],
  sender: '',
  sendersAllowed: '',
  recipientsAllowed: '',
  contactTo: '',
  contactLanguage: 'en',
  contactAcknowledges: false,
  challengeUrl: '',
  challengeSecret: '',
  telegramToken: '',
  serverOnly: false,
  origins: '',
  redirectUrl: '',
  limits: { second: '', hour: '', day: '' },
  hasSmtp: false,
  smtp: { host: '', port: 587, security: 'starttls', credentials: { username: '', password: '' } },
};

/** @param client null = a new one */
export function formValuesOf(client: MailClient | null): ClientFormValues {
  if (client === null) return NEW_CLIENT;
  const { second, hour, day } = client.limits;
  return {
    ...NEW_CLIENT,
    name: client.name,
    services: client.services,
    sender: client.sender ?? '',
    sendersAllowed: client.sendersAllowed.join('\n'),
    recipientsAllowed: client.recipientsAllowed.join('\n'),
    contactTo: client.contactTo.join('\n'),
    contactLanguage: client.contactLanguage,
    contactAcknowledges: client.contactAcknowledges,
    challengeUrl: client.challengeUrl ?? '',
    serverOnly: client.services.includes('contact') && client.origins.length === 0,
    origins: client.origins.join('\n'),
    redirectUrl: client.redirectUrl ?? '',
    limits: { second: second ?? '', hour: hour ?? '', day: day ?? '' },
    hasSmtp: client.has.smtp,
  };
}

export function settingsOf({ hasSmtp, serverOnly, ...values }: ClientFormValues): NewMailClient {
  const { second, hour, day } = values.limits;
  return {
    ...values,
    ...(combinesContact(values.services) && { withContact: true }),
    sender: orNull(values.sender),
    sendersAllowed: lines(values.sendersAllowed),
    recipientsAllowed: lines(values.recipientsAllowed),
    contactTo: lines(values.contactTo),
    challengeUrl: orNull(values.challengeUrl),
    challengeSecret: secret(values.challengeSecret),
    telegramToken: secret(values.telegramToken),
    origins: serverOnly ? null : lines(values.origins),
    redirectUrl: serverOnly ? null : orNull(values.redirectUrl),
    limits: { second: limit(second), hour: limit(hour), day: limit(day) },
    smtp: hasSmtp ? smtp(values.smtp) : null,
  };
}

/** Returns the values that a browser may store. */
export const withoutSecrets = ({ smtp, ...values }: ClientFormValues): ClientFormValues => ({
  ...values,
  challengeSecret: '',
  telegramToken: '',
  smtp: { ...smtp, credentials: { ...smtp.credentials, password: '' } },
});

/** Returns undefined, which keeps the current mail server, if the host is empty. */
function smtp({ host, port, credentials, ...settings }: ClientFormValues['smtp']): SmtpSettings | undefined {
  if (host.trim() === '') return undefined;
  return {
    ...settings,
    host: host.trim(),
    port: Number(port),
    credentials: credentials.username === '' ? null : credentials,
  };
}

const orNull = (text: string) => text.trim() || null;
/** Returns null, which makes a list empty, if there are no lines. */
function lines(text: string): string[] | null {
  const found = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return found.length > 0 ? found : null;
}
const secret = (value: string | null) => (value === '' ? undefined : value);
const limit = (value: number | string) => (value === '' ? null : Number(value));
