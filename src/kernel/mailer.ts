import type { Language } from './language.ts';

/** An e-mail of the server itself. */
export interface Notice {
  to: string;
  /** Name of a stored or bundled template. */
  template: string;
  /** Selects the template: the English one, or the one whose name ends with this language. */
  language: Language;
  data: Record<string, unknown>;
  /** A repeat with the same key within a day is not sent. */
  key?: string;
}

/** The result of the first attempt. */
export interface NoticeResult {
  /** Id of the message; null = it was not stored, or refused. */
  id: string | null;
  /** `queued`: it will be tried again; `sandbox`: it is not delivered, and administrators can read it. */
  status: 'sent' | 'queued' | 'sandbox' | 'failed';
  /** Reason of a failure; null = none. */
  reason: string | null;
}

/** Sends e-mails of the server itself; implemented by mail. */
export interface Mailer {
  /** False = e-mails go to the sandbox. */
  delivers: boolean;
  /** @param wait true = wait for the first attempt, at most 10 s */
  send(notice: Notice, wait: boolean): Promise<NoticeResult>;
}
