import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type OpenedBackup, openBackup, type RestoredKey, restore } from '../backup/restore.ts';
import type { Config } from '../config/config.ts';
import {
  isKeyUnfinished,
  keepRestoredKey,
  placeRestoredKey,
  removeRestoredKey,
} from '../config/restored-key.ts';
import type { Secrets } from '../config/secrets.ts';
import { keyFile, loadServerKeys } from '../config/server-keys.ts';
import { DataDirectoryInUse, lockDataDirectory } from '../foundation/data-directory-lock.ts';
import { requireUtf8 } from '../foundation/encoding.ts';
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
  backup: OpenedBackup,
  directory: string,
  { config, secrets }: { config: Config; secrets: Secrets },
) {
  const key = restoredKey(backup, config, secrets);
  const database = await openDatabase(config, secrets);
  try {
    await requireUtf8(database);
    const blobs = openBlobs(config.blobs, secrets.s3);
    return await restore(directory, backup.manifest, { database, blobs, migrations, key });
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

/**
 * Returns the key file with which the secrets of the backup are sealed, to be created unless the server has the key.
 * @throws CommandError when the server has another key, or none and the backup has none
 */
function restoredKey(backup: OpenedBackup, config: Config, secrets: Secrets): RestoredKey {
  const { dataDir } = config;
  const file = keyFile(dataDir);
  const isMissing = secrets.serverSecret === null && (!existsSync(file) || isKeyUnfinished(dataDir));
  if (!isMissing) {
    refuseOtherKey(backup, config, secrets);
    return { place() {}, remove() {}, keep() {} };
  }
  const { key } = backup;
  if (key === null) {
    // Otherwise a key file that is copied there would replace the content of the unfinished one, and stay unfinished.
    removeRestoredKey(dataDir);
    const remedy = `Set POSTHOUSE_SECRET to the value of the old server, or copy its key file to ${file}.`;
    throw new CommandError(`The backup has no server key. ${remedy}`, 'conflict');
  }
  return {
    place() {
      placeRestoredKey(dataDir, key);
      refuseOtherKey(backup, config, secrets);
    },
    remove: () => removeRestoredKey(dataDir),
    keep: () => keepRestoredKey(dataDir),
  };
}

function refuseOtherKey({ facts }: OpenedBackup, { dataDir }: Config, secrets: Secrets): void {
  const mark = facts.get(KEY_FACT);
  if (mark === undefined || hasKeyOf(createVault(loadServerKeys(secrets, dataDir)), mark)) return;
  const source = secrets.serverSecret === null ? `The key file in ${dataDir}` : 'POSTHOUSE_SECRET';
  throw new CommandError(`${source} is not the server key of this backup.`, 'conflict');
}
