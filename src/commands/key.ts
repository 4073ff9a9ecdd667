import type { Config } from '../config/config.ts';
import { keyFile, newServerKey, RECHECK_MS, replaceKeyFile } from '../config/server-keys.ts';
import { lockFile } from '../foundation/data-directory-lock.ts';
import type { Foundation } from '../foundation/foundation.ts';
import { resealAll } from '../foundation/server-key.ts';
import type { Resealed } from '../kernel/crypto/reseal.ts';
import { CommandError, createCommand, createGroup, SETTINGS_HELP, withFoundation } from './shared/cli.ts';
import { print } from './shared/output.ts';

const HELP = `
With a key file, the command creates a new key, encrypts every stored secret with it, and keeps the previous key
for links that it signed; older keys are deleted. The server may run meanwhile and needs no restart.
With POSTHOUSE_SECRET, add the new key after the old one on every node (OLD,NEW), then put it first (NEW,OLD),
run this command, and remove the old key. See docs/operation.md.${SETTINGS_HELP}`;

/** Number of keys that a rotation keeps. */
const KEPT = 2;

/** `posthouse key rotate`. */
export function defineCommand(about: string) {
  return createGroup('key', about, [rotateCommand()]);
}

function rotateCommand() {
  const command = createCommand('rotate', 'encrypt every stored secret with a new server key', HELP).action(
    () =>
      withFoundation(command, async (foundation, config, secrets) => {
        const { values, unreadable } =
          secrets.serverSecret === null
            ? await rotateFile(foundation, config)
            : await resealWithSetting(foundation);
        const keys = foundation.vault.keyIds();
        const rest = unreadable === 0 ? '' : ` ${unreadable} values cannot be decrypted with any key.`;
        const text = `Encrypted ${values} ${values === 1 ? 'value' : 'values'} with the key ${keys[0]}.${rest}`;
        print(command, { keys, values, unreadable }, text);
      }),
  );
  return command;
}

async function rotateFile({ database, vault, serverKeys }: Foundation, config: Config): Promise<Resealed> {
  const unlock = lockFile(`${keyFile(config.dataDir)}.lock`);
  if (!unlock)
    throw new CommandError('Another command is changing the key file. Try again later.', 'conflict');
  try {
    const before = serverKeys.reload();
    replaceKeyFile(config.dataDir, [newServerKey(), ...before]);
    const keys = serverKeys.reload();
    // A running server may seal with an older key, which may be deleted below, until it has read the file again.
    if (keys.length > KEPT) await Bun.sleep(2 * RECHECK_MS);
    const resealed = await resealAll(database, vault);
    replaceKeyFile(config.dataDir, keys.slice(0, KEPT));
    serverKeys.reload();
    return resealed;
  } finally {
    unlock();
  }
}

async function resealWithSetting({ database, vault }: Foundation): Promise<Resealed> {
  if (vault.keyIds().length > 1) return await resealAll(database, vault);
  throw new CommandError(
    'POSTHOUSE_SECRET has one key. Add the new key after it on every node (OLD,NEW), then put it first ' +
      '(NEW,OLD), and run this command again.',
    'conflict',
  );
}
