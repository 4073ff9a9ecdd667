import type { AccountMail } from '../../api/people.ts';
import { notify, notifyError } from '../../components/notify.tsx';
import { texts } from './texts.ts';

/** Shows the delivery status of an e-mail about an account. Returns whether the person receives it. */
export function notifyMail({ status, reason }: AccountMail, email: string): boolean {
  if (status === 'sent') notify(texts.sent(email));
  else if (status === 'queued') notify(texts.willRetry(email));
  else if (status === 'sandbox') notify(texts.inSandbox);
  else notifyError(new Error(texts.notSent(email, reason)));
  return status === 'sent' || status === 'queued';
}
