import type { Language } from '../kernel/language.ts';
import { Problem } from '../kernel/problem.ts';
import { serverClient } from './clients/server-client.ts';
import type { ComposeEmail } from './compose/email.ts';
import type { SendMails } from './sending/send-mails.ts';
import { localized } from './templates/localized.ts';

/** An e-mail of the server itself. */
export interface Notice {
  to: string;
  /** Name of a stored or bundled template. */
  template: string;
  /** Selects the template. */
  language: Language;
  data: Record<string, unknown>;
  /** A repeat with the same key within a day is not sent. */
  key?: string;
}

/** The result of the first attempt. */
export interface NoticeResult {
  /** Id of the message; null = it was not stored, or refused. */
  id: string | null;
  status: 'sent' | 'queued' | 'sandbox' | 'failed';
  /** Reason of a failure; null = none. */
  reason: string | null;
}

/**
 * Sends a notice through the outbox, like any mail. A refusal or an error of the template is a result, not an
 * exception.
 * @param wait true = wait for the first attempt, 10 s at most
 */
export type SendNotice = (notice: Notice, wait: boolean) => Promise<NoticeResult>;

interface NoticesDeps {
  composeEmail: ComposeEmail;
  sendMails: SendMails;
}

export function createSendNotice({ composeEmail, sendMails }: NoticesDeps): SendNotice {
  return async ({ to, template, language, data, key }, wait) => {
    try {
      const mail = await composeEmail(serverClient, {
        To: [to],
        TemplateName: localized(template, language),
        TemplateData: data,
      });
      const { body } = await sendMails({
        route: 'notice',
        clientId: null,
        delivery: { idempotencyKey: key ?? null, async: !wait },
        fingerprint: '',
        mails: [mail],
      });
      const sent = body.Status === 'Sent' ? 'sent' : 'queued';
      return { id: body.Id, status: body.sandbox ? 'sandbox' : sent, reason: null };
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return { id: null, status: 'failed', reason: error.detail };
    }
  };
}
