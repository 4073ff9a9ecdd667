import type { SmtpSecurity } from './clients.ts';
import type { Entity } from './compose/markup.ts';

/** How it stands with one recipient. */
export interface RecipientState {
  address: string;
  status: 'Queued' | 'Sent' | 'Failed' | 'Unknown';
  /** The peer's words; null = none. */
  error: string | null;
}

/** Which server a mail goes over. A caller's own is kept whole, its credentials apart as the row's secret. */
export type ServerChoice =
  | { kind: 'default' }
  | { kind: 'client' }
  /**
   * @property addresses those that were checked; empty = the name may be resolved anew (private hosts are allowed)
   * @property signsIn it has credentials
   */
  | { kind: 'caller'; host: string; addresses: string[]; port: number; security: SmtpSecurity; signsIn?: true };

/** What an outbox row of kind `email` holds; the mail's bytes are in `mail_contents`. */
export interface EmailPayload {
  contentId: string;
  /** Message-ID with its angle brackets, the same at every attempt (RFC 5321 §4.1.1.4: ours until 250). */
  headerId: string;
  /** The envelope's sender. */
  from: string;
  subject: string;
  server: ServerChoice;
  /** In the order given, each once. */
  recipients: RecipientState[];
}

/** One Telegram message. */
export interface TelegramContent {
  text: string;
  parseMode: 'HTML' | 'MarkdownV2' | null;
  entities: Entity[];
  /** What is sent when the platform refuses the markup. */
  plain: string;
  /** The markup was not valid, so the text goes without. */
  markupRefused?: true;
}

/** What an outbox row of kind `telegram` holds: one message to one chat. */
export interface TelegramPayload extends TelegramContent {
  /** As the caller gave it. */
  recipient: string;
  bot: 'default' | 'client' | 'caller';
  silent: boolean;
  noPreview: boolean;
}

/** How a Telegram message ended. */
export interface TelegramResult {
  messageId: number;
  markupRefused?: true;
}
