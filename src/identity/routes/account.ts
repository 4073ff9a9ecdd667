import { z } from '@hono/zod-openapi';
import { json } from '../../kernel/http/bodies/request-body.ts';
import type { App } from '../../kernel/http/context.ts';
import { endpoint } from '../../kernel/http/endpoint.ts';
import { languageField } from '../../kernel/shared-fields.ts';
import { setLanguageCookie } from '../login/language-cookie.ts';
import type { AccountRoutesDeps } from './deps.ts';

/** The settings of the caller's account. */
export function mountAccount(app: App, { database, accounts, guard, secure }: AccountRoutesDeps): void {
  endpoint(app, {
    method: 'patch',
    path: '/api/account',
    operation: 'changeAccount',
    summary: 'Change the settings of your account',
    tags: ['account'],
    auth: guard.session,
    body: json(
      z.object({
        language: languageField
          .nullable()
          .optional()
          .describe('of the pages and e-mails; null = the preference of each browser'),
      }),
    ),
    responses: {
      204: { description: 'Changed. Sets a cookie with the language for the pages of this browser.' },
    },
    async handler({ c, caller: { accountId }, body: { language } }) {
      if (language === undefined) return;
      await database.transaction((trx) => accounts.setLanguage(trx, accountId, language));
      setLanguageCookie(c, language, secure);
    },
  });
}
