import type { Mailer } from '../kernel/mailer.ts';
import { Problem } from '../kernel/problem.ts';
import { serverClient } from './clients/server-client.ts';
import type { ComposeEmail } from './compose/email.ts';
import type { SendMails } from './sending/send-mails.ts';
import { localized } from './templates/localized.ts';

interface NoticesDeps {
  composeEmail: ComposeEmail;
  sendMails: SendMails;
}

/**
 * Returns a function that sends a notice through the outbox, like any mail. A refusal or an error of the template is a
 * result, not an exception.
 */
export function createSendNotice({ composeEmail, sendMails }: NoticesDeps): Mailer['send'] {
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
