import { existsSync } from 'node:fs';
import type { Config } from '../config/config.ts';
import type { Secrets } from '../config/secrets.ts';
import { keyFile, loadServerKeys } from '../config/server-keys.ts';
import { readableKeyFile } from '../config/warnings.ts';
import { hasKeyOf } from '../foundation/server-key.ts';
import { createVault } from '../kernel/crypto/vault.ts';
import { CheckFailed } from './check.ts';
import type { DatabaseFindings } from './database.ts';

/** Checks that the server key exists, is private, and is the key of this database. */
export async function checkKey(
  config: Config,
  secrets: Secrets,
  findings: DatabaseFindings | null,
): Promise<string> {
  const file = keyFile(config.dataDir);
  const fromSetting = secrets.serverSecret !== null;
  const place = fromSetting ? 'POSTHOUSE_SECRET' : file;
  if (!fromSetting) {
    if (!existsSync(file)) {
      if (findings?.keyMark)
        throw new CheckFailed(
          `${file} is missing, but the database was used with a key: restore the file, or set ` +
            'POSTHOUSE_SECRET to its value.',
        );
      return `${file} will be created on the first start.`;
    }
    const exposed = readableKeyFile(config.dataDir);
    if (exposed) throw new CheckFailed(exposed);
  }
  const vault = createVault(loadServerKeys(secrets, config.dataDir));
  if (findings?.keyMark && !hasKeyOf(vault, findings.keyMark)) {
    throw new CheckFailed(
      `${place} is not the key of this database: restore the right key, or stored secrets cannot be decrypted.`,
    );
  }
  if (!fromSetting && config.database.kind === 'postgres') {
    return (
      `From ${file}; if several nodes share the database, set POSTHOUSE_SECRET to the same value on all ` +
      'of them instead.'
    );
  }
  return `From ${place}${findings?.keyMark ? '; matches the database' : ''}.`;
}
