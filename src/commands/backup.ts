import { resolve } from 'node:path';
import { backUp } from '../backup/backup.ts';
import { keyFileText, loadServerKeys } from '../config/server-keys.ts';
import { createHolds } from '../kernel/leases/holds.ts';
import { openBlobs } from '../storage/blobs/open.ts';
import { VERSION } from '../version.ts';
import { createCommand, SETTINGS_HELP, withFoundation } from './shared/cli.ts';
import { ignoresHangUp } from './shared/hang-up.ts';
import { print } from './shared/output.ts';

const HELP = `
The directory must not exist. It receives every table, every file with its checksum, and the server key (protect it like
the server itself; with --without-key the key is omitted, and a restore needs it from another source). The backup can be
restored to SQLite or PostgreSQL, local files or S3. The server may run meanwhile; the backup is a consistent
snapshot.${SETTINGS_HELP}`;

/** `posthouse backup DIR`. */
export function defineCommand(about: string) {
  const command = createCommand('backup', about, HELP)
    .argument('<directory>', 'directory to create')
    .option('--without-key', 'omit the server key')
    .action(async (directory, { withoutKey }) => {
      const stop = stopSignal();
      const counts = await withFoundation(command, async ({ database, clock }, config, secrets) =>
        backUp(directory, {
          database,
          clock,
          blobs: openBlobs(config.blobs, secrets.s3),
          holds: createHolds({ database, clock }),
          version: VERSION,
          stop,
          key: () => (withoutKey ? null : keyFileText(loadServerKeys(secrets, config.dataDir).current())),
        }),
      );
      print(command, counts, `Wrote ${counts.files} files (${counts.bytes} bytes) to ${resolve(directory)}.`);
    });
  return command;
}

/** Returns a signal that is aborted by SIGINT, SIGTERM and SIGHUP. */
function stopSignal(): AbortSignal {
  const controller = new AbortController();
  const stop = () => controller.abort(new Error('Stopped before the backup was complete.'));
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, stop);
  if (!ignoresHangUp()) process.once('SIGHUP', stop);
  return controller.signal;
}
