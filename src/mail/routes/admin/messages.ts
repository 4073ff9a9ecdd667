import { z } from '@hono/zod-openapi';
import PostalMime, { type Attachment, decodeWords, type Email } from 'postal-mime';
import type { Guard } from '../../../identity/guard.ts';
import type { App, Ctx } from '../../../kernel/http/context.ts';
import { endpoint, pathId } from '../../../kernel/http/endpoint.ts';
import { notFound } from '../../../kernel/http/problem.ts';
import type { Outbox } from '../../../kernel/outbox/outbox.ts';
import type { Contents } from '../../contents.ts';
import type { Opens } from '../../opens.ts';
import type { EmailPayload } from '../../payload.ts';
import { EMAIL_KIND } from '../../transports/smtp.ts';
import { ADMIN, READS } from './parts.ts';

const BASE = '/api/admin/mail/messages/{id}';
const PROBLEMS = [...READS, 'not_found'] as const;

const mailShown = z.object({
  envelope: z.object({ from: z.string(), to: z.array(z.string()) }),
  headers: z.array(z.object({ name: z.string(), value: z.string() })),
  text: z.string().nullable(),
  hasHtml: z.boolean(),
  attachments: z.array(
    z.object({ fileName: z.string().nullable(), contentType: z.string(), sizeBytes: z.int(), contentId: z.string().nullable() }),
  ),
  sizeBytes: z.int(),
  opens: z
    .array(z.object({ time: z.iso.datetime(), country: z.string().nullable(), region: z.string().nullable(), automatic: z.boolean() }))
    .openapi({ description: 'When a mail that asked for it was opened, and where' }),
});

/** Where a mail's HTML is looked at: nothing runs, nothing is fetched, and only our own pages may frame it. */
const HTML_POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; sandbox; frame-ancestors 'self'";

interface MailContentsParts {
  outbox: Outbox;
  contents: Contents;
  opens: Opens;
  guard: Guard;
}

/** A mail as it was, or would have been, sent. */
export function mountMailContents(app: App, { outbox, contents, opens, guard }: MailContentsParts): void {
  async function mailOf(c: Ctx): Promise<{ payload: EmailPayload; mime: Buffer; parse(): Promise<Email> }> {
    await guard.requireAdmin(c);
    const [part] = await outbox.parts(pathId(c, 'id'));
    if (part?.kind !== EMAIL_KIND) throw notFound();
    const payload = part.payload as EmailPayload;
    const mime = await contents.find(payload.contentId);
    if (!mime) throw notFound();
    return { payload, mime, parse: () => PostalMime.parse(mime) };
  }

  endpoint(
    app,
    'get',
    BASE,
    {
      ...ADMIN,
      summary: 'A mail: envelope, headers, text and what is attached',
      answers: { 200: { description: 'The mail.', schema: mailShown } },
      problems: [...PROBLEMS],
    },
    async (c) => {
      const { payload, mime, parse } = await mailOf(c);
      const mail = await parse();
      return c.json({
        envelope: { from: payload.from, to: payload.recipients.map(({ address }) => address) },
        headers: mail.headers.map(({ originalKey, value }) => ({ name: originalKey, value: decodeWords(value) })),
        text: mail.text ?? null,
        hasHtml: mail.html !== undefined,
        attachments: mail.attachments.map((attachment) => ({
          fileName: attachment.filename,
          contentType: attachment.mimeType,
          sizeBytes: bytesOf(attachment).length,
          contentId: attachment.contentId?.replace(/^<(.*)>$/, '$1') ?? null,
        })),
        sizeBytes: mime.length,
        opens: (await opens.list(payload.contentId)).map(({ Time, Country, Region, Automatic }) => ({
          time: Time,
          country: Country,
          region: Region,
          automatic: Automatic,
        })),
      } satisfies z.infer<typeof mailShown>);
    },
  );

  endpoint(
    app,
    'get',
    `${BASE}/source`,
    {
      ...ADMIN,
      summary: 'A mail’s source',
      answers: { 200: { description: 'RFC 5322.', schema: z.string(), mediaType: 'text/plain' } },
      problems: [...PROBLEMS],
    },
    async (c) => {
      const { mime } = await mailOf(c);
      return bytes(mime, { 'Content-Type': 'text/plain; charset=utf-8' });
    },
  );

  endpoint(
    app,
    'get',
    `${BASE}/html`,
    {
      ...ADMIN,
      summary: 'A mail’s HTML, to be shown in a frame',
      answers: {
        200: { description: 'Inline pictures in it, nothing else to fetch, no script.', schema: z.string(), mediaType: 'text/html' },
      },
      problems: [...PROBLEMS],
    },
    async (c) => {
      const { parse } = await mailOf(c);
      const mail = await parse();
      if (mail.html === undefined) throw notFound();
      return new Response(withPictures(mail), {
        headers: {
          'Content-Type': 'text/html; charset=utf-8',
          'Content-Security-Policy': HTML_POLICY,
          'X-Frame-Options': 'SAMEORIGIN',
          'Cache-Control': 'no-store',
        },
      });
    },
  );

  endpoint(
    app,
    'get',
    `${BASE}/attachments/{number}`,
    {
      ...ADMIN,
      summary: 'One attachment of a mail, by its place in the list',
      answers: { 200: { description: 'The bytes.', schema: z.string(), mediaType: 'application/octet-stream' } },
      problems: [...PROBLEMS],
    },
    async (c) => {
      const { parse } = await mailOf(c);
      const attachment = (await parse()).attachments[Number(c.req.param('number'))];
      if (!attachment) throw notFound();
      const name = encodeURIComponent(attachment.filename ?? 'attachment').replace(
        /['()*]/g,
        (mark) => `%${mark.charCodeAt(0).toString(16)}`,
      );
      return bytes(bytesOf(attachment), {
        'Content-Type': 'application/octet-stream',
        'Content-Disposition': `attachment; filename*=UTF-8''${name}`,
      });
    },
  );
}

function bytes(content: Uint8Array, headers: Record<string, string>): Response {
  return new Response(content as Uint8Array<ArrayBuffer>, {
    headers: { ...headers, 'Content-Security-Policy': "default-src 'none'; sandbox", 'Cache-Control': 'no-store' },
  });
}

function bytesOf({ content }: Attachment): Buffer {
  return typeof content === 'string' ? Buffer.from(content) : Buffer.from(content as ArrayBuffer);
}

function withPictures({ html = '', attachments }: Email): string {
  return attachments.reduce((text, attachment) => {
    const id = attachment.contentId?.replace(/^<(.*)>$/, '$1');
    if (!id || !/^image\/(?:png|jpeg|gif|webp)$/.test(attachment.mimeType)) return text;
    return text.replaceAll(`cid:${id}`, `data:${attachment.mimeType};base64,${bytesOf(attachment).toString('base64')}`);
  }, html);
}
