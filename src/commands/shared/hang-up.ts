import { readFileSync } from 'node:fs';

/** The bit of SIGHUP, the signal 1, in a set of signals. */
const HANG_UP = 1n;

/** Reports whether this process was started by nohup(1), so that SIGHUP must stay ignored. Call before handling it. */
export function ignoresHangUp(): boolean {
  try {
    const ignored = /^SigIgn:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
    return (BigInt(`0x${ignored ?? '0'}`) & HANG_UP) !== 0n;
  } catch {
    // Not Linux: a terminal that closes stops the program.
    return false;
  }
}
