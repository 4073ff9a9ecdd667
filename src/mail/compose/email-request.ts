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
    To: oneOrMore(MOST_RECIPIENTS).openapi({ description: 'One address each: `ada@example.org` or `Ada <ada@example.org>`' }),
    Cc: oneOrMore(MOST_RECIPIENTS).optional(),
    Bcc: oneOrMore(MOST_RECIPIENTS).optional(),
    Subject: z.string().optional().openapi({ description: 'Required unless the stored template has one' }),
    Body: z
      .string()
      .optional()
      .openapi({ description: 'Text; Liquid when TemplateData is there. This, HtmlTemplate or TemplateName is required' }),
    HtmlTemplate: z.string().optional().openapi({ description: 'HTML or MJML with Liquid; output is escaped unless `| raw`' }),
    TemplateName: z.string().optional().openapi({ description: 'A stored template in place of Body and HtmlTemplate' }),
    TemplateData: jsonObject.optional(),
    StrictVariables: z.boolean().optional().openapi({ description: 'A variable that TemplateData lacks is an error' }),
    From: z.string().optional().openapi({ description: 'Over our server one of the client’s senders; over SmtpConfiguration any' }),
    FromName: z.string().optional(),
    ReplyTo: z.string().optional(),
    Attachments: z.array(attachmentSchema).max(MOST_ATTACHMENTS).optional().openapi({ description: '25 MB together at most' }),
    Headers: z
      .record(z.string(), z.string())
      .optional()
      .openapi({ description: 'X-… and a few others; none that says who sends or receives' }),
    ListUnsubscribe: oneOrMore(5).optional().openapi({ description: 'https: or mailto: URLs' }),
    SendAt: z.iso
      .datetime({ offset: true, error: 'must be an ISO 8601 time with its offset' })
      .optional()
      .openapi({ description: 'Not before; within a year. DELETE /messages/{id} cancels' }),
    TrackOpens: z.boolean().optional().openapi({ description: 'Adds a pixel to the HTML; GET /messages/{id} tells of opens' }),
    SmtpConfiguration: smtpConfigurationSchema.optional().openapi({ description: 'A server of the caller’s own, in place of ours' }),
  })
  .openapi('EmailRequest');

export type EmailRequest = z.infer<typeof emailRequestSchema>;
