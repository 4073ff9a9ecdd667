import { type Clock, HOUR, MINUTE } from '../../kernel/clock.ts';
import { throwUnlessUnwritable } from '../../kernel/errors/storage-full.ts';
import type { Holds } from '../../kernel/leases/holds.ts';
import type { Log } from '../../kernel/log.ts';
import { blobsOfWorkspace } from '../upkeep/collector.ts';

/** Time without holds at the start of each hour: enough for the collector, which runs every ten seconds. */
const FREE_MS = MINUTE;

interface ExportHoldsDeps {
  holds: Pick<Holds, 'take'>;
  clock: Clock;
  log: Log;
}

/**
 * Holds the blobs of a workspace for a ZIP file that is being sent. Returns the function that ends the hold.
 * A hold ends at the next full hour at the latest, and none is taken in the first minute of an hour, on any
 * node, so that slow readers cannot keep the erased bytes of a workspace forever. Reads need no write, so
 * none is taken while the database cannot be written either. Without a hold, a ZIP file ends early at an
 * erased file.
 */
export type HoldForExport = (workspaceId: string) => Promise<() => Promise<void>>;

export function createHoldForExport({ holds, clock, log }: ExportHoldsDeps): HoldForExport {
  return async (workspaceId) => {
    const sinceHour = clock.now() % HOUR;
    if (sinceHour < FREE_MS) return async () => {};
    const end = clock.now() - sinceHour + HOUR;
    const hold = await holds.take(blobsOfWorkspace(workspaceId)).catch(throwUnlessUnwritable);
    if (!hold) return async () => {};
    const { release } = hold;
    const timer = setTimeout(
      () => release().catch((error) => log.warn({ error }, 'a hold could not be ended')),
      Math.max(0, end - clock.now()),
    );
    return async () => {
      clearTimeout(timer);
      await release().catch(throwUnlessUnwritable);
    };
  };
}
