import type { Config } from '../config/config.ts';
import type { Secrets } from '../config/secrets.ts';
import { LISTEN_REMEDY } from '../foundation/foundation.ts';
import { CheckFailed, withRemedy } from './check.ts';

/** Describes the encryption of the connection to PostgreSQL; '' for SQLite. */
export async function encryption({ database }: Config, { databaseUrl }: Secrets): Promise<string> {
  if (database.kind === 'sqlite') return '';
  const { encryptionOf } = await import('../kernel/database/postgres/client.ts');
  const protocol = await encryptionOf(databaseUrl ?? '');
  return protocol === null ? ', without encryption' : `, encrypted with ${protocol}`;
}

/** Checks that the signals of one node arrive at another. */
export async function checkSignals({ database }: Config, { listenUrl }: Secrets): Promise<string> {
  if (database.kind === 'sqlite') return 'Not needed with SQLite, which only one server uses.';
  const { signalsArrive } = await import('../kernel/database/postgres/signals-arrive.ts');
  const haveArrived = await withRemedy(
    'Check POSTHOUSE_DATABASE_LISTEN_URL (by default, POSTHOUSE_DATABASE_URL).',
    () => signalsArrive(listenUrl ?? ''),
  );
  if (!haveArrived) throw new CheckFailed(`Signals between nodes do not arrive: ${LISTEN_REMEDY}`);
  return 'Signals between nodes arrive.';
}
