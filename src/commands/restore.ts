import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type OpenedBackup, openBackup, restore } from '../backup/restore.ts';
import type { Config } from '../config/config.ts';
import type { Secrets } from '../config/secrets.ts';
import { keyFile, loadServerKeys, placeKeyFile } from '../config/server-keys.ts';
import { DataDirectoryInUse, lockDataDirectory } from '../foundation/data-directory-lock.ts';
import { openDatabase } from '../foundation/foundation.ts';
import { migrations } from '../foundation/schema.ts';
import { hasKeyOf, KEY_FACT } from '../foundation/server-key.ts';
import { createVault } from '../kernel/crypto/vault.ts';
import { NotEmpty } from '../kernel/database/load.ts';
import { openBlobs } from '../storage/blobs/open.ts';
import { CommandError, configOf, createCommand, SETTINGS_HELP } from './shared/cli.ts';
import { print } from './shared/output.ts';

const HELP = `
The settings select the destination: an empty database (a new data directory or an empty PostgreSQL database) and any
blob store. The restored data becomes visible all at once, at the end. Start the server afterwards.${SETTINGS_HELP}`;

/** `posthouse restore DIR`. */
export function defineCommand(about: string) {
  const command = createCommand('restore', about, HELP)
    .argument('<directory>', 'directory written by posthouse backup')
    .action(async (directory) => {
      const { config, secrets } = configOf(command);
      const backup = await openBackup(resolve(directory));
      let unlock = () => {};
      try {
        unlock = lockDataDirectory(config);
        placeKey(backup, config, secrets);
        const counts = await restoreAll(backup, resolve(directory), { config, secrets });
        const { files, bytes } = counts;
        print(command, counts, `Restored ${files} files (${bytes} bytes). Start the server now.`);
      } catch (error) {
        throw asConflict(error);
      } finally {
        unlock();
      }
    });
  return command;
}

async function restoreAll(
  { manifest }: OpenedBackup,
  directory: string,
  { config, secrets }: { config: Config; secrets: Secrets },
) {
  const database = await openDatabase(config, secrets);
  try {
    const blobs = openBlobs(config.blobs, secrets.s3);
    return await restore(directory, manifest, { database, blobs, migrations });
  } finally {
    await database.close();
  }
}

function asConflict(error: unknown): unknown {
  if (error instanceof DataDirectoryInUse) return new CommandError(error.message, 'conflict');
  if (!(error instanceof NotEmpty)) return error;
  const rule = 'A backup can be restored only into an empty database: set a new data directory or database.';
  return new CommandError(`${error.message}. ${rule}`, 'conflict');
}

/** Ensures that the server will use the key with which the secrets of the backup are sealed. */
function placeKey({ key, facts }: OpenedBackup, config: Config, secrets: Secrets): void {
  const mark = facts.get(KEY_FACT);
  if (secrets.serverSecret === null && !existsSync(keyFile(config.dataDir))) {
    if (key === null) {
      const copy = `copy its key file to ${config.dataDir}/secret.key`;
      throw new CommandError(
        `The backup has no server key. Set POSTHOUSE_SECRET to the value of the old server, or ${copy}.`,
        'conflict',
      );
    }
    placeKeyFile(config.dataDir, key);
  }
  if (mark !== undefined && !hasKeyOf(createVault(loadServerKeys(secrets, config.dataDir)), mark)) {
    const source = secrets.serverSecret === null ? `The key file in ${config.dataDir}` : 'POSTHOUSE_SECRET';
    throw new CommandError(`${source} is not the server key of this backup.`, 'conflict');
  }
}
