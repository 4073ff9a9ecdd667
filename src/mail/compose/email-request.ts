import { z } from '@hono/zod-openapi';
import { timeField } from '../../kernel/shared-fields.ts';
import { jsonObject, oneOf, oneOrMore, recipients } from '../fields.ts';

const MAX_ATTACHMENTS = 100;

/** A caller's own SMTP server. */
const smtpConfigurationSchema = z
  .object({
    Host: z.string().min(1, 'is required'),
    Port: z.coerce.number().int().min(1).max(65_535).optional(),
    Security: oneOf(['None', 'StartTls', 'Tls']).optional(),
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

const text = (description: string) => z.string().optional().openapi({ description });
const flag = (description: string) => z.boolean().optional().openapi({ description });

/** The body of `POST /requestemail` beyond the credentials. */
export const emailRequestSchema = z
  .object({
    To: recipients.optional().openapi({
      description:
        '`ada@example.org`, `Ada <ada@example.org>`, several separated by commas, `{Address, Name}`, or an array ' +
        'of these. To, Cc or Bcc is required',
    }),
    Cc: recipients.optional(),
    Bcc: recipients.optional(),
    Subject: text('Required unless the stored template has one'),
    Body: text('Text; Liquid if there is TemplateData. Body, HtmlTemplate or TemplateName is required'),
    HtmlTemplate: text('HTML or MJML with Liquid; output is escaped unless `| raw`'),
    TemplateName: text('Stored template to use instead of Body and HtmlTemplate'),
    TemplateData: jsonObject.optional(),
    StrictVariables: flag('Treats variables missing from TemplateData as errors'),
    From: text('One of the client’s senders; with SmtpConfiguration, any address'),
    FromName: z.string().optional(),
    ReplyTo: z.string().optional(),
    Attachments: z
      .array(attachmentSchema)
      .max(MAX_ATTACHMENTS)
      .optional()
      .openapi({ description: 'At most 25 MB in total' }),
    Headers: z
      .record(z.string(), z.string())
      .optional()
      .openapi({ description: '`X-…` and a few others; none that determines the sender or the recipients' }),
    ListUnsubscribe: oneOrMore(5).optional().openapi({ description: 'https: or mailto: URLs' }),
    SendAt: timeField.optional().openapi({
      description: 'Time of delivery, within a year. Until then, DELETE /messages/{id} cancels the e-mail',
    }),
    TrackOpens: flag('Adds a tracking pixel to the HTML; GET /messages/{id} returns the opens'),
    SmtpConfiguration: smtpConfigurationSchema
      .optional()
      .openapi({ description: 'SMTP server to use instead of this server’s' }),
  })
  .openapi('EmailRequest');

export type EmailRequest = z.infer<typeof emailRequestSchema>;
