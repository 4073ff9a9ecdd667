import type { Compilable, CompiledQuery } from 'kysely';
import type { Database, Reader } from './database.ts';

/** Stands in a query for the value of that name. */
class Slot {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/**
 * A reading query that is put together and compiled once and then run with other values each time, for the paths that every
 * request takes: putting it together costs more than SQLite needs to answer it.
 * @param build gets the reader and, as each of the named values, a stand-in; it must use them as values of the query alone
 */
export function prepare<Values extends Record<string, string | number>, Row>(
  database: Pick<Database, 'read'>,
  build: (reader: Reader, values: Values) => Compilable<Row>,
): (values: Values) => Promise<Row[]> {
  let compiled: CompiledQuery<Row> | undefined;
  return async (values) => {
    const reader = database.read;
    compiled ??= build(reader, new Proxy({}, { get: (_, name) => new Slot(String(name)) }) as Values).compile();
    const parameters = compiled.parameters.map((value) => (value instanceof Slot ? values[value.name] : value));
    return (await reader.getExecutor().executeQuery<Row>({ ...compiled, parameters })).rows;
  };
}
