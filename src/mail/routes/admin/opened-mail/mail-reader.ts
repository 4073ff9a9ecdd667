import { MB } from '../../../../kernel/bytes.ts';
import { createCompute } from '../../../../kernel/compute/compute.ts';
import type { Payload } from '../../../../kernel/compute/frames.ts';
import type { JobKilled } from '../../../../kernel/compute/start-child.ts';
import type { Log } from '../../../../kernel/log.ts';
import { Problem } from '../../../../kernel/problem.ts';
import { programFile } from '../../../../kernel/program-files.ts';
import { loadOpenMail, type MailPart, type MailSummary } from './open-mail.ts';

/**
 * Reads stored e-mails, whose content clients choose. Large ones are parsed in a child process.
 * @throws Problem 429 `rate_limited`, 503 `unavailable`
 */
export interface MailReader {
  content(mime: Uint8Array): Promise<MailSummary>;
  /** Returns the HTML with its inline pictures; null = the e-mail has none. */
  html(mime: Uint8Array): Promise<Uint8Array | null>;
  /** Returns null when the e-mail has no attachment of this number. */
  attachment(mime: Uint8Array, number: number): Promise<{ name: string | null; bytes: Uint8Array } | null>;
  stop(): void;
}

/** Maximum size of an e-mail that is parsed in this process, in a millisecond or two. */
const CHEAP_BYTES = 100_000;
const OWNER = 'administrators';

export function createMailReader({ log }: { log: Log }): MailReader {
  const compute = createCompute({
    name: 'opened mails',
    log,
    program: programFile('mail/routes/admin/opened-mail/child'),
    limits: { memory: 1024 * MB, cpuSeconds: 120 },
    output: 128 * MB,
    children: 1,
    ms: 10_000,
    killed: tooComplex,
  });

  async function open(part: MailPart, mime: Uint8Array): Promise<Payload> {
    if (mime.length <= CHEAP_BYTES) return await (await loadOpenMail())(part, mime);
    return await compute.run(OWNER, { value: part, blobs: [mime] });
  }

  return {
    content: async (mime) => (await open({ kind: 'content' }, mime)).value as MailSummary,
    async html(mime) {
      const { blobs: [page] = [] } = await open({ kind: 'html' }, mime);
      return page ?? null;
    },
    async attachment(mime, number) {
      const { value, blobs: [bytes] = [] } = await open({ kind: 'attachment', number }, mime);
      return bytes ? { name: value as string | null, bytes } : null;
    },
    stop: compute.stop,
  };
}

function tooComplex(cause: JobKilled): Problem {
  return new Problem('unavailable', 'The e-mail is too complex to be shown. Its source can be shown.', {
    cause,
  });
}
