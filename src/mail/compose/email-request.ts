import { z } from '@hono/zod-openapi';
import { oneOf, oneOrMore } from '../fields.ts';
import { jsonObject } from '../json-object.ts';

export const MOST_RECIPIENTS = 100;
const MOST_ATTACHMENTS = 100;

export const SMTP_SECURITY = ['None', 'StartTls', 'Tls'] as const;

/** A caller's own SMTP server. */
export const smtpConfigurationSchema = z
  .object({
    Host: z.string().min(1, 'is required'),
    Port: z.coerce.number().int().min(1).max(65_535).optional(),
    Security: oneOf(SMTP_SECURITY).optional(),
    Username: z.string().max(1_000).optional(),
    Password: z.string().max(4_000).optional(),
    From: z.string().optional(),
  })
  .openapi('SmtpConfiguration');

const attachmentSchema = z
  .object({
    FileName: z.string().min(1, 'is required'),
    ContentType: z.string().optional(),
    Content: z.string(),
    ContentId: z.string().optional(),
  })
  .openapi('Attachment');

/** The body of `POST /requestemail` beyond the credentials. */
export const emailRequestSchema = z
  .object({
    To: oneOrMore(MOST_RECIPIENTS),
    Cc: oneOrMore(MOST_RECIPIENTS).optional(),
    Bcc: oneOrMore(MOST_RECIPIENTS).optional(),
    Subject: z.string().optional(),
    Body: z.string().optional(),
    HtmlTemplate: z.string().optional(),
    TemplateName: z.string().optional(),
    TemplateData: jsonObject.optional(),
    StrictVariables: z.boolean().optional(),
    From: z.string().optional(),
    FromName: z.string().optional(),
    ReplyTo: z.string().optional(),
    Attachments: z.array(attachmentSchema).max(MOST_ATTACHMENTS).optional(),
    Headers: z.record(z.string(), z.string()).optional(),
    ListUnsubscribe: oneOrMore(5).optional(),
    SendAt: z.iso.datetime({ offset: true, error: 'must be an ISO 8601 time with its offset' }).optional(),
    TrackOpens: z.boolean().optional(),
    SmtpConfiguration: smtpConfigurationSchema.optional(),
  })
  .openapi('EmailRequest');

export type EmailRequest = z.infer<typeof emailRequestSchema>;
