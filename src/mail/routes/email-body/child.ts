/** The child process that parses large bodies of e-mails. */
import { serveJobs } from '../../../kernel/compute/child.ts';
import { openBody } from './open-body.ts';

await serveJobs(
  () =>
    ({ blobs = [] }) =>
      openBody(Buffer.concat(blobs)),
);
