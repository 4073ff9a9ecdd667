import type { Clock } from '../../kernel/clock.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { Log } from '../../kernel/log.ts';
import type { Transport } from '../../kernel/outbox/message.ts';
import type { Clients } from '../clients/clients.ts';
import { createUsage } from '../clients/usage.ts';
import type { Contents } from '../contents.ts';
import type { MailSettings } from '../settings.ts';
import { createAccountPauses } from './account-pauses.ts';
import { limited } from './limited.ts';
import { triedOnce } from './once.ts';
import { createPools } from './pools.ts';
import { createPressure } from './pressure.ts';
import { CLIENT_LIMITS, createSmtpTransport } from './smtp.ts';
import { createTelegramTransport } from './telegram.ts';
import { createTelegramLimit } from './telegram-limit.ts';

interface MailTransportsDeps {
  database: Database;
  clock: Clock;
  log: Log;
  clients: Clients;
  contents: Contents;
  settings: Pick<MailSettings, 'smtp' | 'smtpName' | 'dkim' | 'telegram'>;
}

/** The transports of e-mails and of Telegram messages, within the limits of the clients. */
export interface MailTransports {
  all: readonly Transport[];
  /** Closes connections that are not used; call it every minute. */
  closeIdle(): void;
  /** Deletes the usage of past periods. */
  sweep(): Promise<void>;
  /** Closes all connections. */
  stop(): void;
}

export function createMailTransports(deps: MailTransportsDeps): MailTransports {
  const { database, clock, log, clients, contents, settings } = deps;
  const pools = createPools({ clock, name: settings.smtpName });
  const usage = createUsage({ database, clients, clock });
  const smtp = createSmtpTransport({
    account: settings.smtp,
    dkim: settings.dkim,
    clients,
    contents,
    pools,
    pressure: createPressure(clock, CLIENT_LIMITS),
    pauses: createAccountPauses({ clock, log }),
  });
  const telegram = createTelegramTransport({
    ...settings.telegram,
    clients,
    limit: createTelegramLimit(clock),
    database,
  });
  return {
    all: [smtp, telegram].map((transport) => limited(triedOnce(transport), usage)),
    closeIdle: pools.sweep,
    sweep: usage.sweep,
    stop: pools.close,
  };
}
