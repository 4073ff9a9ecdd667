import type { MailClient, MailClientSecrets, MailClientSettings, MailService, SmtpSettings } from '../../api/mail.ts';

/** A client as the fields of a form; a secret is '' while it stays as it is, and null when it goes. */
export type ClientFields = {
  name: string;
  services: string[];
  sender: string;
  sendersAllowed: string;
  recipientsAllowed: string;
  contactTo: string;
  contactAcknowledges: boolean;
  challengeUrl: string;
  challengeSecret: string | null;
  telegramToken: string | null;
  origins: string;
  limitsSecond: number | string;
  limitsHour: number | string;
  limitsDay: number | string;
  hasSmtp: boolean;
  smtpHost: string;
  smtpPort: number | string;
  smtpSecurity: string;
  smtpUsername: string;
  smtpPassword: string;
};

export function fieldsOf(client: MailClient | null): ClientFields {
  return {
    name: client?.name ?? '',
    services: client?.services ?? ['email'],
    sender: client?.sender ?? '',
    sendersAllowed: client?.sendersAllowed.join('\n') ?? '',
    recipientsAllowed: client?.recipientsAllowed.join('\n') ?? '',
    contactTo: client?.contactTo.join('\n') ?? '',
    contactAcknowledges: client?.contactAcknowledges ?? false,
    challengeUrl: client?.challengeUrl ?? '',
    challengeSecret: '',
    telegramToken: '',
    origins: client?.origins.join('\n') ?? '',
    limitsSecond: client?.limits.second ?? '',
    limitsHour: client?.limits.hour ?? '',
    limitsDay: client?.limits.day ?? '',
    hasSmtp: client?.has.smtp ?? false,
    smtpHost: '',
    smtpPort: 587,
    smtpSecurity: 'starttls',
    smtpUsername: '',
    smtpPassword: '',
  };
}

export function settingsOf(fields: ClientFields): Omit<MailClientSettings, 'enabled'> & MailClientSecrets {
  return {
    name: fields.name,
    services: fields.services as MailService[],
    sender: orNull(fields.sender),
    sendersAllowed: lines(fields.sendersAllowed),
    recipientsAllowed: lines(fields.recipientsAllowed),
    contactTo: lines(fields.contactTo),
    contactAcknowledges: fields.contactAcknowledges,
    challengeUrl: orNull(fields.challengeUrl),
    challengeSecret: secret(fields.challengeSecret),
    telegramToken: secret(fields.telegramToken),
    origins: lines(fields.origins),
    limits: { second: limit(fields.limitsSecond), hour: limit(fields.limitsHour), day: limit(fields.limitsDay) },
    smtp: fields.hasSmtp ? smtp(fields) : null,
  };
}

function smtp(fields: ClientFields): SmtpSettings | undefined {
  if (fields.smtpHost.trim() === '') return undefined;
  const { smtpUsername: username, smtpPassword: password } = fields;
  return {
    host: fields.smtpHost.trim(),
    port: Number(fields.smtpPort),
    security: fields.smtpSecurity as SmtpSettings['security'],
    credentials: username === '' ? null : { username, password },
  };
}

const orNull = (text: string) => (text.trim() === '' ? null : text.trim());
const lines = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
const secret = (value: string | null) => (value === '' ? undefined : value);
const limit = (value: number | string) => (value === '' ? null : Number(value));
