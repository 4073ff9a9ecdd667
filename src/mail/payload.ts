import type { SmtpSecurity } from '../config/formats.ts';
import type { Entity } from './compose/telegram/markup.ts';

/** Kinds of the outbox rows of this service. */
export const EMAIL_KIND = 'email';
export const TELEGRAM_KIND = 'telegram';

export interface RecipientState {
  address: string;
  status: 'Queued' | 'Sent' | 'Failed' | 'Unknown';
  /** The peer's message; null = none. */
  error: string | null;
}

/** The server over which an e-mail is sent. The credentials of a caller's own server are the row's secret. */
export type ServerChoice =
  | { kind: 'default' }
  | { kind: 'client' }
  /**
   * @property addresses the checked addresses; empty = resolve the name (private hosts are allowed)
   * @property signsIn the server requires the row's secret
   */
  | {
      kind: 'caller';
      host: string;
      addresses: string[];
      port: number;
      security: SmtpSecurity;
      signsIn?: true;
    };

/** The payload of an outbox row of `EMAIL_KIND`; the e-mail's bytes are in `mail_contents`. */
export interface EmailPayload {
  contentId: string;
  /** Message-ID with its angle brackets, the same at every attempt (RFC 5321 §4.1.1.4: ours until 250). */
  headerId: string;
  /** The envelope's sender. */
  from: string;
  subject: string;
  server: ServerChoice;
  /** Each address once, in the order of the request. */
  recipients: RecipientState[];
  /** A test, which is attempted only once. */
  once?: true;
  /** An e-mail of a contact form, whose recipients callers must not see. */
  isForm?: true;
}

export interface TelegramContent {
  text: string;
  parseMode: 'HTML' | 'MarkdownV2' | null;
  entities: Entity[];
  /** The text to send when the platform refuses the markup. */
  plain: string;
  /** The markup was invalid; the text is sent without it. */
  markupRefused?: true;
}

/** The payload of an outbox row of kind `telegram`: one message to one chat. */
export interface TelegramPayload extends TelegramContent {
  /** Recipient as in the request. */
  recipient: string;
  bot: 'default' | 'client' | 'caller';
  silent: boolean;
  noPreview: boolean;
  /** A test, which is attempted only once. */
  once?: true;
}

export interface TelegramResult {
  messageId: number;
  markupRefused?: true;
}
