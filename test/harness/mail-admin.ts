import { afterAll, beforeAll, expect } from 'bun:test';
import { type SmtpStandIn, startSmtpStandIn } from '../stand-ins/smtp.ts';
import { startTelegramStandIn, type TelegramStandIn } from '../stand-ins/telegram.ts';
import { type Backend, freshSettings } from './backends.ts';
import { sendJson } from './json.ts';
import type { MailClient } from './mail.ts';
import { type Posthouse, signInAdmin, startPosthouse } from './posthouse.ts';

/** The body of a response. */
interface Shown {
  [field: string]: unknown;
  id: string;
  code: string;
  clientId: string;
  clientSecret: string;
  errors: { path: string; message: string }[];
}

/** A server with mail and its peers, as an administrator uses it. */
export interface MailAdmin {
  posthouse: Posthouse;
  smtp: SmtpStandIn;
  telegram: TelegramStandIn;
  /** Calls an endpoint below `/api/admin/mail`. */
  call(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ status: number; body: Shown; text: string; headers: Headers }>;
  /** Creates a client for e-mails and a contact form. */
  createClient(name: string, more?: Record<string, unknown>): Promise<MailClient & { id: string }>;
}

/**
 * Registers a server with mail and its peers for all tests of a `describe`. The returned objects are filled before the
 * first test.
 */
export function mailAdmin(backend: Backend): MailAdmin {
  const posthouse = {} as Posthouse;
  const smtp = {} as SmtpStandIn;
  const telegram = {} as TelegramStandIn;
  let admin: Record<string, string>;
  beforeAll(async () => {
    Object.assign(smtp, await startSmtpStandIn());
    const tokens = ['12:canary-client-telegram'];
    Object.assign(telegram, await startTelegramStandIn({ tokens, chats: [] }));
    const settings = {
      ...(await freshSettings(backend)),
      POSTHOUSE_SMTP_URL: `smtp://${smtp.host}:${smtp.port}?tls=none`,
      POSTHOUSE_MAIL_FROM: 'post@example.org',
      POSTHOUSE_TELEGRAM_API_URL: telegram.url,
      POSTHOUSE_TRUSTED_PROXIES: '127.0.0.1',
    };
    Object.assign(posthouse, await startPosthouse(settings));
    admin = (await signInAdmin(posthouse)).headers;
  });
  afterAll(async () => {
    await posthouse.stop();
    await smtp.stop();
    await telegram.stop();
  });

  const call: MailAdmin['call'] = async (method, path, body) => {
    const answer = await sendJson(posthouse, method, `/api/admin/mail${path}`, body, admin);
    const text = await answer.text();
    const isJson = answer.headers.get('Content-Type')?.includes('json') ?? false;
    return {
      status: answer.status,
      body: (isJson ? JSON.parse(text) : {}) as Shown,
      text,
      headers: answer.headers,
    };
  };

  return {
    posthouse,
    smtp,
    telegram,
    call,
    async createClient(name, more = {}) {
      const { status, body } = await call('POST', '/clients', {
        name,
        services: ['email', 'contact'],
        contactTo: ['owner@example.org'],
        withContact: true,
        ...more,
      });
      expect([status, body.errors]).toEqual([201, undefined as never]);
      return { ClientId: body.clientId, ClientSecret: body.clientSecret, id: body.clientId };
    },
  };
}
