/** The child process that renders e-mails and messages of callers, which can need any amount of time and memory. */
import { serveJobs } from '../../../kernel/compute/child.ts';
import type { Payload } from '../../../kernel/compute/frames.ts';
import { invalidField } from '../../../kernel/problem.ts';
import type { TelegramContent } from '../../payload.ts';
import { buildMail } from '../mime/build-mail.ts';
import { loadComposer } from '../mime/mime.ts';
import { composeTelegram } from '../telegram/telegram.ts';
import { createDraftRenderer } from './content.ts';
import { requestDraft } from './draft.ts';
import { createLiquid } from './liquid.ts';
import { createMjml } from './mjml.ts';
import { createMjmlEngine } from './mjml-engine.ts';
import { unpackContent } from './packed-content.ts';
import { plainTextOf } from './plain-text.ts';
import type { RenderJob } from './render-jobs.ts';

/** Maximum length of the JSON of messages: a text of the maximum length with a few entities in each line. */
const MAX_MESSAGES_LENGTH = 4_000_000;
/** Maximum length of the JSON of one message, enough for several hundred entities. */
const MAX_MESSAGE_LENGTH = 100_000;
/** Maximum length of the JSON for all recipients together, enough for 500 messages with 100 entities each. */
const MAX_STORED_LENGTH = 8_000_000;

const render = createDraftRenderer({
  liquid: createLiquid(),
  mjml: createMjml(createMjmlEngine()),
  plainTextOf,
});

async function run(job: RenderJob, blobs: readonly Uint8Array[]): Promise<Payload> {
  switch (job.kind) {
    case 'mail': {
      const { draft, attachments } = job.content;
      return result(await buildMail(job.head, render(draft), attachments));
    }
    case 'packed mail': {
      const { attachments, ...request } = unpackContent(blobs);
      return result(await buildMail(job.head, render(requestDraft(request, job.template)), attachments));
    }
    case 'preview':
      return { value: null, blobs: [Buffer.from(JSON.stringify(render(job.draft)))] };
    case 'telegram': {
      const messages = composeTelegram(job.request);
      if (isTooLong(messages, job.request.Recipients.length))
        throw invalidField('Message', 'has too much markup for its length');
      return { value: messages };
    }
  }
}

function isTooLong(messages: readonly TelegramContent[], recipients: number): boolean {
  const lengths = messages.map((message) => JSON.stringify(message).length);
  const length = lengths.reduce((sum, each) => sum + each, 0);
  return (
    length > MAX_MESSAGES_LENGTH ||
    length * recipients > MAX_STORED_LENGTH ||
    lengths.some((each) => each > MAX_MESSAGE_LENGTH)
  );
}

function result({ subject, mime }: { subject: string; mime: Buffer }): Payload {
  return { value: { subject }, blobs: [mime] };
}

await serveJobs(async () => {
  await loadComposer();
  return ({ value, blobs = [] }) => run(value as RenderJob, blobs);
});
