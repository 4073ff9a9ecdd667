import type { Compilable, CompiledQuery } from 'kysely';
import type { Database, Reader } from './database.ts';

/** The placeholder of a named value in a query. */
class Slot {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/**
 * Compiles a reading query once and returns a function that runs it with the values of each call. For hot paths:
 * building a query costs more than SQLite needs to answer it.
 * @param build builds the query from the reader and a placeholder for each value, to be used as values of the query
 *   only
 */
export function prepare<Values extends Record<string, string | number>, Row>(
  database: Pick<Database, 'read'>,
  build: (reader: Reader, values: Values) => Compilable<Row>,
): (values: Values) => Promise<Row[]> {
  let compiled: CompiledQuery<Row> | undefined;
  return async (values) => {
    const reader = database.read;
    compiled ??= build(
      reader,
      new Proxy({}, { get: (_, name) => new Slot(String(name)) }) as Values,
    ).compile();
    const parameters = compiled.parameters.map((value) =>
      value instanceof Slot ? values[value.name] : value,
    );
    return (await reader.getExecutor().executeQuery<Row>({ ...compiled, parameters })).rows;
  };
}
