/**
 * The program that reports, as JSON on standard output, the resources that a child for untrusted input can
 * reach.
 */
import { readdirSync } from 'node:fs';
import { confine } from '../../kernel/compute/confine.ts';
import type { Abilities } from './confinement.ts';

/** Enough for this program. */
const MEMORY = 2 ** 29;

const reason = confine(MEMORY);
const can = async (act: () => unknown) => {
  try {
    await act();
    return true;
  } catch {
    return false;
  }
};
const abilities: Abilities = {
  reason,
  // Every user can list it, unlike the directory of this program.
  files: await can(() => readdirSync('/')),
  // Without an argument, the port is any free one.
  network: await can(() => Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } }).stop()),
  processes: await can(() => process.kill(process.ppid, 0)),
};
await Bun.write(Bun.stdout, JSON.stringify(abilities));
process.exit(0);
