import type { AccountMail } from '../../api/people.ts';
import { notify, notifyError } from '../../components/notify.tsx';

/** Shows what happened to a mail about an account. Reports whether the person receives it. */
export function notifyMail({ status, reason }: AccountMail, email: string): boolean {
  if (status === 'sent') notify(`Sent a mail to ${email}`);
  else if (status === 'queued') notify(`The mail to ${email} is stored. Posthouse will try again.`);
  else if (status === 'sandbox') notify('The mail is stored in the sandbox, which delivers nothing.');
  else notifyError(new Error(`The mail to ${email} was not sent: ${reason}`));
  return status === 'sent' || status === 'queued';
}
