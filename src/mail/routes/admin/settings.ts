import { z } from '@hono/zod-openapi';
import type { Guard } from '../../../identity/guard.ts';
import type { App } from '../../../kernel/http/context.ts';
import { endpoint } from '../../../kernel/http/endpoint.ts';
import type { MailSettings } from '../../mail.ts';
import { ADMIN, READS } from './parts.ts';

const settingsShown = z
  .object({
    smtp: z
      .object({
        host: z.string(),
        port: z.int(),
        security: z.enum(['tls', 'starttls', 'opportunistic', 'none']),
        verifyTls: z.boolean().openapi({ description: 'false = any certificate is taken' }),
        signsIn: z.boolean(),
      })
      .nullable()
      .openapi({ description: 'null = mails go to the sandbox' }),
    sender: z.string().nullable(),
    dkim: z.object({ domain: z.string(), selector: z.string() }).nullable(),
    telegram: z.object({ apiUrl: z.string(), configured: z.boolean().openapi({ description: 'false = messages go to the sandbox' }) }),
    places: z.enum(['countries', 'own database']),
    trackOpens: z.boolean(),
    allowPrivateHosts: z.boolean(),
    corsOrigins: z.array(z.string()),
  })
  .openapi('MailSettings');

/** How the operator has set mail up; changed by the environment alone. */
export function mountSettings(app: App, { settings, guard }: { settings: MailSettings; guard: Guard }): void {
  endpoint(
    app,
    'get',
    '/api/admin/mail/settings',
    {
      ...ADMIN,
      summary: 'How mail is set up',
      answers: { 200: { description: 'Without secrets.', schema: settingsShown } },
      problems: [...READS],
    },
    async (c) => {
      await guard.requireAdmin(c);
      const { smtp, sender, dkim, telegram, geoipDatabase, trackOpens, allowPrivateHosts, corsOrigins } = settings;
      return c.json({
        smtp: smtp && {
          host: smtp.host,
          port: smtp.port,
          security: smtp.security,
          verifyTls: smtp.verifyTls,
          signsIn: smtp.credentials !== null,
        },
        sender,
        dkim: dkim && { domain: dkim.domain, selector: dkim.selector },
        telegram: { apiUrl: telegram.apiUrl, configured: telegram.token !== null },
        places: geoipDatabase === null ? 'countries' : 'own database',
        trackOpens,
        allowPrivateHosts,
        corsOrigins: [...corsOrigins],
      } satisfies z.infer<typeof settingsShown>);
    },
  );
}
