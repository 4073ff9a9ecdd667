import { useQuery } from '@tanstack/react-query';
import type { AnswerOf, BodyOf } from '../../client/index.ts';
import { texts as common } from '../texts.ts';
import { useChange, useRefresh } from './change.ts';
import { keys } from './keys.ts';
import { byId, posthouse, type Schemas } from './posthouse.ts';
import { texts } from './texts.ts';

export type MailClient = Schemas['MailClient'];
export type MailService = MailClient['services'][number];
export type MailClientSettings = Omit<MailClient, 'id' | 'has' | 'dateCreated'>;
/** Settings and secrets; a secret is never returned: undefined = unchanged, null = none. */
export type MailClientChange = BodyOf<'/api/admin/mail/clients/{id}', 'patch'>;
export type NewMailClient = BodyOf<'/api/admin/mail/clients', 'post'>;
export type SmtpSettings = NonNullable<MailClientChange['smtp']>;
export type Credentials = AnswerOf<'/api/admin/mail/clients', 'post'>;
export type MailSettings = Schemas['MailSettings'];
export type SpamForm = Schemas['SpamForm'];
export type TestAnswer = Schemas['SendAnswer'];
/** An e-mail as it was sent, or as it would have been outside the sandbox. */
export type StoredMail = AnswerOf<'/api/admin/mail/messages/{id}', 'get'>;

export const SERVICES: Record<MailService, string> = {
  email: common.mail,
  telegram: common.telegram,
  contact: common.contactForm,
};
export const SECURITIES: Record<SmtpSettings['security'], string> = {
  starttls: texts.startTlsRequired,
  tls: texts.tls,
  opportunistic: texts.startTlsOffered,
  none: common.none,
};

/** Reports whether the contact form, whose secret is public, is combined with another service. */
export function combinesContact(services: readonly string[]): boolean {
  return services.includes('contact') && services.some((service) => service !== 'contact');
}

export const getMailClients = () => posthouse.get('/api/admin/mail/clients');

export const useMailClients = ({ enabled = true } = {}) =>
  useQuery({ queryKey: [...keys.mail, 'clients'], queryFn: () => getMailClients(), enabled });
export const useMailSettings = () =>
  useQuery({
    queryKey: [...keys.mail, 'settings'],
    queryFn: () => posthouse.get('/api/admin/mail/settings'),
  });

/** Returns where e-mails go: to the mail server or the sandbox; null = not loaded yet, or the service is disabled. */
export function useMailDelivery(): 'server' | 'sandbox' | null {
  const { data } = useMailSettings();
  return data ? (data.smtp ? 'server' : 'sandbox') : null;
}

export const useSpam = () =>
  useQuery({
    queryKey: [...keys.mail, 'spam'],
    queryFn: () => posthouse.get('/api/admin/mail/spam'),
  });

export const getMail = (id: string) => posthouse.get('/api/admin/mail/messages/{id}', byId(id));
export const createMailClient = (body: NewMailClient) => posthouse.post('/api/admin/mail/clients', { body });
export const changeMailClient = (id: string, body: MailClientChange) =>
  posthouse.patch('/api/admin/mail/clients/{id}', { ...byId(id), body });
export const rotateSecret = (id: string) => posthouse.post('/api/admin/mail/clients/{id}/rotate', byId(id));
export const deleteMailClient = (id: string) => posthouse.delete('/api/admin/mail/clients/{id}', byId(id));
export const releaseSpam = (id: string) => posthouse.post('/api/admin/mail/spam/{id}/release', byId(id));
export const deleteSpam = (id: string) => posthouse.delete('/api/admin/mail/spam/{id}', byId(id));
export const sendTestMail = (body: BodyOf<'/api/admin/mail/test', 'post'>) =>
  posthouse.post('/api/admin/mail/test', { body });
export const sendTestTelegram = (body: BodyOf<'/api/admin/mail/test-telegram', 'post'>) =>
  posthouse.post('/api/admin/mail/test-telegram', { body });

/** Changes mail clients, templates or spam, and then refetches them. */
export const useMailChange = () => useChange(keys.mail);
export const useRefreshMail = () => useRefresh(keys.mail);
