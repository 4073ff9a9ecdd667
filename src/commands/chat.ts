import { createDirectory, type Directory } from '../chat/directory.ts';
import type { PauseState } from '../chat/records.ts';
import { isoTime } from '../kernel/clock.ts';
import type { Database } from '../kernel/database/database.ts';
import { type ParsedCommand, withFoundation } from './cli.ts';

/** Opens the records of chat clients, guilds and channels for one command, and closes them afterwards. */
export function withDirectory<Result>(
  command: ParsedCommand,
  work: (directory: Directory, database: Database) => Promise<Result>,
): Promise<Result> {
  return withFoundation(command, ({ database, vault, clock }) =>
    work(createDirectory({ vault, clock }), database),
  );
}

/** Returns a record as `list` prints it, with its times in ISO 8601. */
export function shown<Kept extends { dateCreated: number; pause: PauseState | null }>({
  pause,
  dateCreated,
  ...kept
}: Kept) {
  const shownPause = pause && { since: isoTime(pause.since), reason: pause.reason };
  return { ...kept, pause: shownPause, dateCreated: isoTime(dateCreated) };
}

/** Returns the last column of a list: empty = the record can be used. */
export function stateOf({ enabled, pause }: { enabled: boolean; pause: { reason: string } | null }): string {
  if (!enabled) return 'disabled';
  return pause ? `paused: ${pause.reason}` : '';
}
