import { resolve } from 'node:path';
import { backUp } from '../backup/backup.ts';
import { keyFileText, loadServerKey } from '../config/secrets.ts';
import { createHolds } from '../kernel/holds.ts';
import { openBlobs } from '../storage/blobs/open.ts';
import { VERSION } from '../version.ts';
import { createCommand, print, withFoundation } from './command.ts';

const HELP = `
The directory must not be there yet. It will hold every table, every file with its checksum, and the server key (keep it
as safe as the server itself; --without-key leaves the key out, and restoring then needs it from elsewhere). The backup
fits SQLite and PostgreSQL, local files and S3. The server may run meanwhile; everything is as it was at one moment.
Settings are flags here too: posthouse serve --help lists them.`;

/** `posthouse backup DIR`. */
export function backupCommand() {
  const command = createCommand('backup', 'write everything into a new directory', HELP)
    .argument('<directory>', 'where the backup is to be')
    .option('--without-key', 'leave the server key out')
    .action(async (directory, { withoutKey }) => {
      const counts = await withFoundation(command, async ({ database, clock }, config, secrets) =>
        backUp(directory, {
          database,
          clock,
          blobs: openBlobs(config.blobs, secrets.s3),
          holds: createHolds({ database, clock }),
          version: VERSION,
          key: withoutKey ? null : keyFileText(loadServerKey(secrets, config.dataDir)),
        }),
      );
      print(command, counts, `${counts.files} files with ${counts.bytes} bytes are in ${resolve(directory)}`);
    });
  return command;
}
