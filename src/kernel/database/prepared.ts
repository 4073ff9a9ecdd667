import type { CompiledQuery } from 'kysely';
import type { Prepare, Query, Reader } from './database.ts';

/** The placeholder of a named value in a query. */
class Slot {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

export const prepare: Prepare = <Db extends Reader, Values extends Record<string, string | number>, Row>(
  build: (db: Db, values: Values) => Query<Row>,
) => {
  const slots = new Proxy({}, { get: (_, name) => new Slot(String(name)) }) as Values;
  let compiled: CompiledQuery<Row> | undefined;
  return async (db: Db, values: Values) => {
    compiled ??= build(db, slots).compile(db);
    const parameters = compiled.parameters.map((value) =>
      value instanceof Slot ? values[value.name] : value,
    );
    return (await db.getExecutor().executeQuery<Row>({ ...compiled, parameters })).rows;
  };
};
