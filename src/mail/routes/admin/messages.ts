import { z } from '@hono/zod-openapi';
import { binary } from '../../../kernel/http/bodies/request-body.ts';
import { SANDBOX_POLICY } from '../../../kernel/http/common-headers.ts';
import { contentDisposition } from '../../../kernel/http/content/disposition.ts';
import type { App } from '../../../kernel/http/context.ts';
import { htmlPage } from '../../../kernel/http/describe.ts';
import { endpoint } from '../../../kernel/http/endpoint.ts';
import { guid, type Param } from '../../../kernel/http/params.ts';
import { notFound } from '../../../kernel/problem.ts';
import { wholeMail } from '../../contents.ts';
import { EMAIL_KIND, type EmailPayload } from '../../payload.ts';
import type { AdminDeps } from './deps.ts';
import { administration, ofRecord } from './shared.ts';

interface StoredMail {
  payload: EmailPayload;
  mime: Buffer;
}

const one = '/api/admin/mail/messages/{id}';
/** Codes of `MailReader`. */
const READING_PROBLEMS = ['rate_limited', 'unavailable'] as const;
const attachmentIndex: Param<number> = {
  schema: z.int().min(0),
  parse(text) {
    if (!/^\d{1,4}$/.test(text)) throw notFound();
    return Number(text);
  },
};

const openSchema = z.object({
  time: z.iso.datetime(),
  country: z.string().nullable(),
  region: z.string().nullable(),
  automatic: z.boolean(),
});
const mailSchema = z.object({
  envelope: z.object({ from: z.string(), to: z.array(z.string()) }),
  headers: z.array(z.object({ name: z.string(), value: z.string() })),
  text: z.string().nullable(),
  hasHtml: z.boolean(),
  attachments: z.array(
    z.object({
      fileName: z.string().nullable(),
      contentType: z.string(),
      sizeBytes: z.int(),
      contentId: z.string().nullable(),
    }),
  ),
  sizeBytes: z.int(),
  opens: z
    .array(openSchema)
    .openapi({ description: 'Times and places at which an e-mail with TrackOpens was opened' }),
});

/** Policy of the HTML of an e-mail: no script, no requests, frames only in pages of this server. */
const HTML_POLICY =
  "default-src 'none'; img-src data:; style-src 'unsafe-inline'; sandbox; frame-ancestors 'self'";

/** Contents of e-mails as they were sent, or would have been sent from the sandbox. */
export function mountMailContents(app: App, deps: AdminDeps): void {
  mountContent(app, deps);
  mountFiles(app, deps);
}

/** @throws Problem 404 */
async function findMail({ outbox, contents }: AdminDeps, messageId: string): Promise<StoredMail> {
  const row = await outbox.part(messageId, 0);
  if (row?.kind !== EMAIL_KIND) throw notFound();
  const payload = row.payload as EmailPayload;
  const stored = await contents.find(payload.contentId);
  if (!stored) throw notFound();
  return { payload, mime: await wholeMail(stored) };
}

function mountContent(app: App, deps: AdminDeps): void {
  endpoint(app, {
    ...ofRecord(deps),
    method: 'get',
    path: one,
    operation: 'getMailContent',
    summary: 'Get the envelope, headers, text and attachments of an e-mail',
    problems: READING_PROBLEMS,
    responses: { 200: { description: 'The e-mail.', schema: mailSchema } },
    async handler({ params: { id } }) {
      const { payload, mime } = await findMail(deps, id);
      const opened = await deps.opens.list(payload.contentId);
      return {
        envelope: { from: payload.from, to: payload.recipients.map(({ address }) => address) },
        ...(await deps.mailReader.content(mime)),
        sizeBytes: mime.length,
        opens: opened.map(({ Time, Country, Region, Automatic }) => ({
          time: Time,
          country: Country,
          region: Region,
          automatic: Automatic,
        })),
      };
    },
  });

  endpoint(app, {
    ...ofRecord(deps),
    method: 'get',
    path: `${one}/source`,
    operation: 'getMailSource',
    summary: 'Get the source of an e-mail',
    responses: { 200: { description: 'RFC 5322.', schema: z.string(), mediaType: 'text/plain' } },
    handler: async ({ params: { id } }) =>
      bytesResponse((await findMail(deps, id)).mime, { 'Content-Type': 'text/plain; charset=utf-8' }),
  });
}

function mountFiles(app: App, deps: AdminDeps): void {
  endpoint(app, {
    ...ofRecord(deps),
    method: 'get',
    path: `${one}/html`,
    operation: 'getMailHtml',
    summary: 'Get the HTML of an e-mail, for a frame',
    problems: READING_PROBLEMS,
    responses: {
      200: htmlPage('HTML with inline pictures. A policy forbids scripts and requests.'),
    },
    async handler({ params: { id } }) {
      const html = await deps.mailReader.html((await findMail(deps, id)).mime);
      if (html === null) throw notFound();
      return bytesResponse(html, {
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy': HTML_POLICY,
        'X-Frame-Options': 'SAMEORIGIN',
      });
    },
  });

  endpoint(app, {
    ...administration(deps),
    method: 'get',
    path: `${one}/attachments/{number}`,
    operation: 'getMailAttachment',
    summary: 'Get an attachment of an e-mail by its index in the list',
    problems: READING_PROBLEMS,
    params: { id: guid, number: attachmentIndex },
    responses: { 200: { description: 'The bytes.', schema: binary, mediaType: 'application/octet-stream' } },
    async handler({ params: { id, number } }) {
      const attachment = await deps.mailReader.attachment((await findMail(deps, id)).mime, number);
      if (!attachment) throw notFound();
      return bytesResponse(attachment.bytes, {
        'Content-Type': 'application/octet-stream',
        'Content-Disposition': contentDisposition('attachment', attachment.name ?? 'attachment'),
      });
    },
  });
}

function bytesResponse(content: Uint8Array, headers: Record<string, string>): Response {
  return new Response(content as Uint8Array<ArrayBuffer>, {
    headers: {
      'Content-Security-Policy': SANDBOX_POLICY,
      'Cache-Control': 'no-store',
      ...headers,
    },
  });
}
