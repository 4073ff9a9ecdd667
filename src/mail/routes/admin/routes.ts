import type { App } from '../../../kernel/http/context.ts';
import type { Composing } from '../../compose/composing.ts';
import type { Sending } from '../../sending/sending.ts';
import type { MailStores } from '../../stores.ts';
import { createTelegramTokenCheck } from '../../transports/telegram-token.ts';
import { mountClients } from './clients.ts';
import type { AdminDeps } from './deps.ts';
import { mountMailContents } from './messages.ts';
import { mountSettings } from './settings.ts';
import { mountSpam } from './spam.ts';
import { mountTemplates } from './templates.ts';
import { mountTests } from './tests.ts';

interface MailAdminDeps extends Pick<AdminDeps, 'database' | 'outbox' | 'guard' | 'settings' | 'mailReader'> {
  stores: MailStores;
  composing: Composing;
  sending: Sending;
}

export function mountMailAdmin(app: App, deps: MailAdminDeps): void {
  const checkTelegramToken = createTelegramTokenCheck(deps.settings.telegram);
  const shared = { ...deps, ...deps.stores, ...deps.composing, ...deps.sending, checkTelegramToken };
  mountSettings(app, shared);
  mountClients(app, shared);
  mountTemplates(app, shared);
  mountTests(app, shared);
  mountMailContents(app, shared);
  mountSpam(app, shared);
}
