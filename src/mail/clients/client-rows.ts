import type { Selectable } from 'kysely';
import type { MailClientsTable } from '../tables.ts';
import type { ClientSettings, MailService } from './client-settings.ts';

export interface Client extends ClientSettings {
  id: string;
  /** Which secrets the client has; `Clients` returns the secrets themselves. */
  has: { telegramToken: boolean; smtp: boolean; challengeSecret: boolean };
  /** Ms since the epoch. */
  dateCreated: number;
}

export function settingsColumns(settings: ClientSettings) {
  return {
    name: settings.name,
    services: JSON.stringify(settings.services),
    sender: settings.sender,
    senders_allowed: JSON.stringify(settings.sendersAllowed),
    recipients_allowed: JSON.stringify(settings.recipientsAllowed),
    contact_to: JSON.stringify(settings.contactTo),
    contact_language: settings.contactLanguage,
    contact_acknowledges: settings.contactAcknowledges ? 1 : 0,
    challenge_url: settings.challengeUrl,
    origins: JSON.stringify(settings.origins),
    redirect_url: settings.redirectUrl,
    limit_second: settings.limits.second,
    limit_hour: settings.limits.hour,
    limit_day: settings.limits.day,
    enabled: settings.enabled ? 1 : 0,
  };
}

export function clientFromRow(row: Selectable<MailClientsTable>): Client {
  return {
    id: row.id,
    name: row.name,
    services: textList(row.services) as MailService[],
    sender: row.sender,
    sendersAllowed: textList(row.senders_allowed),
    recipientsAllowed: textList(row.recipients_allowed),
    contactTo: textList(row.contact_to),
    contactLanguage: row.contact_language,
    contactAcknowledges: row.contact_acknowledges === 1,
    challengeUrl: row.challenge_url,
    origins: textList(row.origins),
    redirectUrl: row.redirect_url,
    limits: { second: row.limit_second, hour: row.limit_hour, day: row.limit_day },
    enabled: row.enabled === 1,
    has: {
      telegramToken: row.telegram_token !== null,
      smtp: row.smtp !== null,
      challengeSecret: row.challenge_secret !== null,
    },
    dateCreated: row.date_created,
  };
}

export function textList(json: string): string[] {
  return JSON.parse(json) as string[];
}
