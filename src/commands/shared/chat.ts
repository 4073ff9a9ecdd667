import { createDirectory, type Directory } from '../../chat/directory/directory.ts';
import type { Database } from '../../kernel/database/database.ts';
import { Problem } from '../../kernel/problem.ts';
import { type ParsedCommand, withFoundation } from './cli.ts';

/** Opens the records of chat clients, guilds and channels for one command, and closes them afterwards. */
export function withDirectory<Result>(
  command: ParsedCommand,
  work: (directory: Directory, database: Database) => Promise<Result>,
): Promise<Result> {
  return withFoundation(command, ({ database, vault, clock }) =>
    work(createDirectory({ vault, clock }), database).catch((error: unknown) => {
      throw withList(error);
    }),
  );
}

const UNKNOWN: Readonly<Record<string, string>> = {
  unknown_client:
    'There is no chat client with this name or id. “posthouse chat-client list” lists the clients.',
  unknown_guild: 'There is no guild with this name or id. “posthouse chat-guild list” lists the guilds.',
};

/** Adds the command that lists the records to the error of an unknown one. */
function withList(error: unknown): unknown {
  if (!(error instanceof Problem)) return error;
  const detail = UNKNOWN[error.code];
  return detail === undefined ? error : new Problem(error.code, detail);
}

/** Returns the last column of a list: empty = the record can be used. */
export function stateOf({ enabled, pause }: { enabled: boolean; pause: { reason: string } | null }): string {
  if (!enabled) return 'disabled';
  return pause ? `paused: ${pause.reason}` : '';
}
