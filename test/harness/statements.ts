import { Database as BunSqlite } from 'bun:sqlite';
import { Client } from 'pg';

export interface Statement {
  text: string;
  /** The statement stays prepared on the connection. */
  isNamed: boolean;
}

const listeners = new Set<(statement: Statement) => void>();

/** Calls `listener` with each statement that a server in this process runs. Call before it starts. */
export function watchStatements(listener: (statement: Statement) => void): void {
  if (listeners.size === 0) patch();
  listeners.add(listener);
}

function patch(): void {
  listen(Client.prototype, 'query', ([query]) => {
    const { text, name } =
      typeof query === 'string' ? { text: query } : (query as { text: string; name?: string });
    return { text, isNamed: name !== undefined };
  });
  const prepare = BunSqlite.prototype.prepare;
  BunSqlite.prototype.prepare = function (this: BunSqlite, ...args: Parameters<typeof prepare>) {
    const statement = prepare.apply(this, args);
    for (const method of ['all', 'run'] as const)
      listen(statement, method, () => ({ text: String(args[0]), isNamed: true }));
    return statement;
  } as typeof prepare;
}

/** Reports the calls of a method to the listeners. */
function listen<Target extends object>(
  target: Target,
  method: keyof Target,
  describe: (args: unknown[]) => Statement,
): void {
  const original = target[method] as (...args: unknown[]) => unknown;
  const replaced = function (this: Target, ...args: unknown[]) {
    const statement = describe(args);
    for (const listener of listeners) listener(statement);
    return original.apply(this, args);
  };
  Object.assign(target, { [method]: replaced });
}
