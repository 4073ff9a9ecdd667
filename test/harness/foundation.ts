import { shapeConfig } from '../../src/config/config.ts';
import { readSettings } from '../../src/config/env.ts';
import { type Foundation, openFoundation } from '../../src/foundation/foundation.ts';
import { afterFile } from './cleanup.ts';

const open = new Map<string, Promise<Foundation>>();

/** The database and the key of a server (which may be running), opened once for the tests of a file. */
export function foundationOf(settings: Record<string, string>): Promise<Foundation> {
  const place = JSON.stringify(settings);
  const known = open.get(place);
  if (known) return known;
  const { config, secrets } = shapeConfig(readSettings({}, settings));
  const opening = openFoundation({ ...config, logLevel: 'silent' }, secrets);
  open.set(place, opening);
  opening.then(
    (foundation) => afterFile(foundation.close),
    () => open.delete(place),
  );
  return opening;
}

/**
 * Makes every message of a killed server due at once: ends the leases of those that it was sending, and the
 * pauses before the next attempt. Nodes compare both with the time of the database, so the server needs no setting for
 * tests, and no test waits. Returns the number of leases.
 */
export async function endWaits(settings: Record<string, string>): Promise<number> {
  const { database } = await foundationOf(settings);
  return await database.transaction(async (trx) => {
    const queued = trx.updateTable('outbox').where('status', '=', 'queued');
    await queued.set({ next_attempt_at: 0 }).execute();
    const { numUpdatedRows } = await queued
      .set({ lease_until: 0 })
      .where('lease_until', 'is not', null)
      .executeTakeFirstOrThrow();
    return Number(numUpdatedRows);
  });
}
