import { bufferOf, MB } from '../../../kernel/bytes.ts';
import { type Compute, type ComputeDeps, createCompute } from '../../../kernel/compute/compute.ts';
import type { Payload } from '../../../kernel/compute/frames.ts';
import { JobKilled } from '../../../kernel/compute/start-child.ts';
import { invalidField, type Problem } from '../../../kernel/problem.ts';
import { programFile } from '../../../kernel/program-files.ts';
import type { TelegramContent } from '../../payload.ts';
import { type BuiltMail, buildMail, type MailContent, type MailHead } from '../mime/build-mail.ts';
import type { TelegramRequest } from '../telegram/request.ts';
import { composeTelegram, isCheapTelegram } from '../telegram/telegram.ts';
import { type Draft, plainContent, type TemplateSource } from './draft.ts';
import { invalidTemplate } from './invalid-template.ts';
import type { PackedContent } from './packed-content.ts';
import type { RenderJob } from './render-jobs.ts';

/**
 * Renders content of callers in child processes with limits, unless its cost is small and known. An owner is
 * a client or an account; owners take turns.
 * @throws Problem 400 `invalid_template` also when a limit is exceeded, or the content crashes two children; 429
 *   `rate_limited` and 503 `unavailable` when the queue is full
 */
export interface Rendering {
  mail(owner: string, head: MailHead, content: MailContent): Promise<BuiltMail>;
  /** Builds the e-mail of a large request. @param template the stored template that it names; null = none */
  packedMail(
    owner: string,
    head: MailHead,
    content: PackedContent,
    template: TemplateSource | null,
  ): Promise<BuiltMail>;
  /** Returns subject, HTML and text as JSON. */
  preview(owner: string, draft: Draft): Promise<Uint8Array>;
  /** @throws Problem 400 that names `Message` */
  telegram(owner: string, request: TelegramRequest): Promise<TelegramContent[]>;
  stop(): void;
}

/** CPU time of a job, ms: several times that of the largest reasonable newsletter. */
const JOB_MS = 2_000;
/** Elapsed time of a job, ms: its child has a low priority, and the machine may be busy. */
const LONGEST_MS = 20_000;
/** Maximum length of an e-mail that is built in this process, which takes a millisecond or two. */
const CHEAP_LENGTH = 50_000;

const EXCEEDED = {
  time: 'takes too long to render',
  memory: 'takes too much memory to render',
  output: 'output limit exceeded',
  crash: 'cannot be rendered',
} as const;

export function createRendering({ log, giveWay }: Pick<ComputeDeps, 'log' | 'giveWay'>): Rendering {
  const compute = createCompute({
    name: 'mail',
    log,
    giveWay,
    program: programFile('mail/compose/rendering/child'),
    limits: { memory: 512 * MB, cpuSeconds: 120 },
    output: 64 * MB,
    children: 2,
    ms: JOB_MS,
    longestMs: LONGEST_MS,
  });

  const build = async (owner: string, job: RenderJob, field: string, blobs?: PackedContent) => {
    const { value, blobs: [mime] = [] } = await run(compute, owner, {
      job,
      blobs,
      failed: templateError(field),
    });
    return { subject: (value as { subject: string }).subject, mime: required(mime) };
  };

  return {
    async mail(owner, head, content) {
      const plain = lengthOf(content) <= CHEAP_LENGTH ? plainContent(content.draft) : null;
      if (plain) return await buildMail(head, plain, content.attachments);
      return await build(owner, { kind: 'mail', head, content }, fieldOf(content.draft));
    },
    packedMail: (owner, head, content, stored) =>
      build(
        owner,
        { kind: 'packed mail', head, template: stored },
        stored ? 'TemplateName' : 'HtmlTemplate',
        content,
      ),
    async preview(owner, draft) {
      const { blobs: [json] = [] } = await run(compute, owner, {
        job: { kind: 'preview', draft },
        failed: templateError(fieldOf(draft)),
      });
      return required(json);
    },
    async telegram(owner, request) {
      if (isCheapTelegram(request)) return composeTelegram(request);
      const failed = () => invalidField('Message', 'has markup that takes too long to parse');
      return (await run(compute, owner, { job: { kind: 'telegram', request }, failed }))
        .value as TelegramContent[];
    },
    stop: compute.stop,
  };
}

interface Run {
  job: RenderJob;
  blobs?: PackedContent | undefined;
  failed(error: JobKilled): Problem;
}

async function run(compute: Compute, owner: string, { job, blobs = [], failed }: Run): Promise<Payload> {
  try {
    return await compute.run(owner, { value: job, blobs });
  } catch (error) {
    throw error instanceof JobKilled ? failed(error) : error;
  }
}

const templateError =
  (field: string) =>
  ({ reason }: JobKilled): Problem =>
    invalidTemplate(field, EXCEEDED[reason]);

function lengthOf({ draft: { subject, html, text }, attachments }: MailContent): number {
  const texts = [subject.source, html?.source, text?.source, ...attachments.map(({ Content }) => Content)];
  return texts.reduce((sum, each) => sum + (each?.length ?? 0), 0);
}

function fieldOf({ html, text, subject }: Draft): string {
  return (html ?? text ?? subject).field;
}

function required(bytes: Uint8Array | undefined): Buffer {
  if (!bytes) throw new Error('the child returned no bytes');
  return bufferOf(bytes);
}
