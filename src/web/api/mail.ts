import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { tellError } from '../parts/tell.tsx';
import { call } from './http.ts';

export const SERVICES = ['email', 'telegram', 'contact'] as const;
export type MailService = (typeof SERVICES)[number];
export const SECURITIES = ['starttls', 'tls', 'opportunistic', 'none'] as const;

export interface SmtpSettings {
  host: string;
  port: number;
  security: (typeof SECURITIES)[number];
  credentials: { username: string; password: string } | null;
}

/** What may be set of a client. */
export interface MailClientSettings {
  name: string;
  services: MailService[];
  sender: string | null;
  sendersAllowed: string[];
  recipientsAllowed: string[];
  contactTo: string[];
  contactAcknowledges: boolean;
  challengeUrl: string | null;
  origins: string[];
  limits: { second: number | null; hour: number | null; day: number | null };
  enabled: boolean;
}

/** Secrets go in and never come out; undefined = as it is, null = none. */
export interface MailClientSecrets {
  telegramToken?: string | null;
  smtp?: SmtpSettings | null;
  challengeSecret?: string | null;
}

export type MailClient = MailClientSettings & {
  id: string;
  has: { telegramToken: boolean; smtp: boolean; challengeSecret: boolean };
  dateCreated: string;
};

/** Shown this once. */
export interface Credentials {
  clientId: string;
  clientSecret: string;
}

export interface MailSettings {
  smtp: { host: string; port: number; security: string; verifyTls: boolean; signsIn: boolean } | null;
  sender: string | null;
  dkim: { domain: string; selector: string } | null;
  telegram: { apiUrl: string; configured: boolean };
  places: string;
  trackOpens: boolean;
  allowPrivateHosts: boolean;
  corsOrigins: string[];
}

export interface SpamForm {
  id: string;
  clientId: string;
  reason: string;
  form: { request?: Record<string, unknown>; visitor?: Record<string, unknown> };
  dateCreated: string;
}

const MAIL = ['mail'];
const BASE = '/api/admin/mail';

export const useMailClients = () =>
  useQuery({ queryKey: [...MAIL, 'clients'], queryFn: ({ signal }) => call<MailClient[]>('GET', `${BASE}/clients`, { signal }) });
export const useMailSettings = () =>
  useQuery({ queryKey: [...MAIL, 'settings'], queryFn: ({ signal }) => call<MailSettings>('GET', `${BASE}/settings`, { signal }) });
export const useSpam = () =>
  useQuery({ queryKey: [...MAIL, 'spam'], queryFn: ({ signal }) => call<SpamForm[]>('GET', `${BASE}/spam`, { signal }) });

export const makeMailClient = (client: Partial<MailClientSettings> & MailClientSecrets) =>
  call<Credentials>('POST', `${BASE}/clients`, { body: client });
export const changeMailClient = (id: string, changes: Partial<MailClientSettings> & MailClientSecrets) =>
  call<MailClient>('PATCH', `${BASE}/clients/${id}`, { body: changes });
export const rotateSecret = (id: string) => call<Credentials>('POST', `${BASE}/clients/${id}/rotate`);
export const deleteMailClient = (id: string) => call<void>('DELETE', `${BASE}/clients/${id}`);
export const releaseSpam = (id: string) => call<{ id: string }>('POST', `${BASE}/spam/${id}/release`);
export const deleteSpam = (id: string) => call<void>('DELETE', `${BASE}/spam/${id}`);

/** What came of a mail or a message that was sent to try something. */
export interface TestAnswer {
  Id: string;
  Status: string;
  sandbox?: true;
  Recipients?: { Address: string; Status: string; Error?: string | null }[];
}

export const sendTestMail = (mail: { to: string; clientId?: string; subject?: string; html?: string; text?: string; data?: object }) =>
  call<TestAnswer>('POST', `${BASE}/test`, { body: mail });
export const sendTestTelegram = (message: { to: string; clientId?: string; message: string }) =>
  call<TestAnswer>('POST', `${BASE}/test-telegram`, { body: message });

/** Does something about mail and shows how things stand afterwards. */
export function useMailChange() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (work: () => Promise<unknown>) => work(),
    onSettled: () => client.invalidateQueries({ queryKey: MAIL }),
    onError: tellError,
  });
}

export function useLookAgainAtMail() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: MAIL });
}
