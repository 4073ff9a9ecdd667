import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type OpenedBackup, openBackup, restore } from '../backup/restore.ts';
import type { Config } from '../config/config.ts';
import { loadServerKey, placeKeyFile, type Secrets } from '../config/secrets.ts';
import { KEY_FACT, openDatabase, serverKeyMark } from '../foundation.ts';
import { createVault } from '../kernel/crypto/vault.ts';
import { NotEmpty } from '../kernel/database/load.ts';
import { migrations } from '../schema.ts';
import { openBlobs } from '../storage/blobs/open.ts';
import { CommandError, configOf, createCommand, print } from './command.ts';

const HELP = `
The settings say where to: any empty database (a new data directory, or an empty PostgreSQL database) and any blob
store. Nothing is seen before all of it is there. Start the server afterwards.
Settings are flags here too: posthouse serve --help lists them.`;

/** `posthouse restore DIR`. */
export function restoreCommand() {
  const command = createCommand('restore', 'bring a backup into an empty database', HELP)
    .argument('<directory>', 'a backup')
    .action(async (directory) => {
      const { config, secrets } = configOf(command);
      const backup = await openBackup(resolve(directory));
      placeKey(backup, config, secrets);
      const database = openDatabase(config, secrets);
      try {
        const blobs = openBlobs(config.blobs, secrets.s3);
        const counts = await restore(resolve(directory), backup.manifest, { database, blobs, migrations });
        print(command, counts, `${counts.files} files with ${counts.bytes} bytes are restored; start the server now`);
      } catch (error) {
        if (error instanceof NotEmpty) {
          throw new CommandError(
            `${error.message}. A backup is restored into an empty database only: name a new data directory or database.`,
          );
        }
        throw error;
      } finally {
        await database.close();
      }
    });
  return command;
}

/** Sees to it that the server will have the key that the backup's secrets were sealed with. */
function placeKey({ key, facts }: OpenedBackup, config: Config, secrets: Secrets): void {
  const mark = facts.get(KEY_FACT);
  if (secrets.serverKey === null && !existsSync(join(config.dataDir, 'secret.key'))) {
    if (key === null) {
      throw new CommandError(
        `The backup was made without its server key. Set POSTHOUSE_SECRET as it was, or put the key file into ${config.dataDir} as secret.key.`,
      );
    }
    placeKeyFile(config.dataDir, key);
  }
  if (mark !== undefined && serverKeyMark(createVault(loadServerKey(secrets, config.dataDir))) !== mark) {
    const place = secrets.serverKey === null ? `The key file in ${config.dataDir}` : 'POSTHOUSE_SECRET';
    throw new CommandError(`${place} is not the key that this backup was made with.`);
  }
}
