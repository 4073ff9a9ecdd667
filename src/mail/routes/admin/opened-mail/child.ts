/** The child process that parses large e-mails for the message log. */
import { serveJobs } from '../../../../kernel/compute/child.ts';
import { loadOpenMail, type MailPart } from './open-mail.ts';

await serveJobs(async () => {
  const open = await loadOpenMail();
  return ({ value, blobs = [] }) => open(value as MailPart, Buffer.concat(blobs));
});
