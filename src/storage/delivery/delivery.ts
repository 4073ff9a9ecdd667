import type { Clock } from '../../kernel/clock.ts';
import type { Passwords } from '../../kernel/crypto/passwords.ts';
import type { Vault } from '../../kernel/crypto/vault.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { Signals } from '../../kernel/database/signals.ts';
import type { ShortRequests } from '../../kernel/event-loop/short-requests.ts';
import type { Holds } from '../../kernel/leases/holds.ts';
import type { Attempts } from '../../kernel/limits/attempts.ts';
import type { Log } from '../../kernel/log.ts';
import type { Metrics } from '../../kernel/metrics/metrics.ts';
import type { Blobs } from '../blobs/port.ts';
import { keepSmall } from '../blobs/small.ts';
import { createAccess } from './access.ts';
import { createDownloads } from './downloads.ts';
import { createExports } from './export.ts';
import { createHoldForExport } from './export-holds.ts';
import { createGate } from './gate.ts';
import { createRenditions } from './renditions/renditions.ts';
import { createTraffic } from './traffic.ts';

export interface DeliveryDeps {
  database: Database;
  signals: Signals;
  vault: Vault;
  passwords: Passwords;
  clock: Clock;
  log: Log;
  metrics: Metrics;
  attempts: Attempts;
  shortRequests: ShortRequests;
  blobs: Blobs;
  holds: Holds;
}

/** Creates the modules that send bytes to callers. */
export function createDelivery(deps: DeliveryDeps) {
  const { database, signals, vault, passwords, clock, log, attempts, shortRequests, blobs, holds } = deps;
  const traffic = createTraffic(deps.metrics);
  const gate = createGate({ vault, clock, attempts, passwords });
  return {
    traffic,
    gate,
    access: createAccess({ database, clock, gate }),
    downloads: createDownloads({ database, vault, clock, of: 'file' }),
    renditions: createRenditions({ database, blobs, signals, clock, log, shortRequests }),
    exports: createExports({
      database,
      blobs: traffic.countReads(blobs),
      shortRequests,
      hold: createHoldForExport({ holds, clock, log }),
    }),
    /** The bytes of files and renditions. */
    bytes: traffic.countLinks(traffic.countReads(keepSmall(blobs))),
  };
}
