import { constants } from 'node:os';
import { openCLibrary } from './c-library.ts';

const SET_PARENT_DEATH_SIGNAL = 1;

/**
 * Makes the system kill this process when the one that started it ends, even while this one is stopped or in an endless
 * loop. Only Linux can.
 */
export function endWithParent(): void {
  if (process.platform !== 'linux') return;
  const library = openCLibrary({ prctl: { args: ['i32', 'u64', 'u64', 'u64', 'u64'], returns: 'i32' } });
  library?.prctl(SET_PARENT_DEATH_SIGNAL, constants.signals.SIGKILL, 0, 0, 0);
}
