import { z } from '@hono/zod-openapi';
import type { App } from '../../../kernel/http/context.ts';
import { endpoint } from '../../../kernel/http/endpoint.ts';
import { smtpSecurity } from '../../clients/client-settings.ts';
import type { AdminDeps } from './deps.ts';

const settingsSchema = z
  .object({
    smtp: z
      .object({
        host: z.string(),
        port: z.int(),
        security: smtpSecurity,
        verifyTls: z.boolean().openapi({ description: 'false = any certificate is accepted' }),
        signsIn: z.boolean(),
      })
      .nullable()
      .openapi({ description: 'null = e-mails go to the sandbox' }),
    sender: z.string().nullable(),
    dkim: z.object({ domain: z.string(), selector: z.string() }).nullable(),
    telegram: z.object({
      apiUrl: z.string(),
      configured: z.boolean().openapi({ description: 'false = messages go to the sandbox' }),
    }),
    places: z.enum(['countries', 'own database']),
    trackOpens: z.boolean(),
    allowPrivateHosts: z.boolean(),
    corsOrigins: z.array(z.string()),
  })
  .openapi('MailSettings');

/** The operator's settings of mail, which only the environment can change. */
export function mountSettings(app: App, { settings, guard }: AdminDeps): void {
  endpoint(app, {
    method: 'get',
    path: '/api/admin/mail/settings',
    operation: 'getMailSettings',
    summary: 'Get the settings of mail',
    tags: ['mail administration'],
    auth: guard.admin,
    responses: { 200: { description: 'The settings, without secrets.', schema: settingsSchema } },
    // The schema drops the secrets.
    handler: () =>
      settingsSchema.parse({
        ...settings,
        smtp: settings.smtp && { ...settings.smtp, signsIn: settings.smtp.credentials !== null },
        telegram: { ...settings.telegram, configured: settings.telegram.token !== null },
        places: settings.geoipDatabase === null ? 'countries' : 'own database',
      }),
  });
}
