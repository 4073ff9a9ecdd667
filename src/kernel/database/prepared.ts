import type { CompiledQuery } from 'kysely';
import type { Prepare, Query, Reader } from './database.ts';

/** The placeholder of a named value in a query. */
class Slot {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** Runs a compiled query. */
export type Run = <Row>(db: Reader, query: CompiledQuery<Row>) => Row[] | Promise<Row[]>;

export const runWithKysely: Run = async <Row>(db: Reader, query: CompiledQuery<Row>) =>
  (await db.getExecutor().executeQuery<Row>(query)).rows;

export function createPrepare(run: Run): Prepare {
  return <Db extends Reader, Values extends Record<string, string | number>, Row>(
    build: (db: Db, values: Values) => Query<Row>,
  ) => {
    const slots = new Proxy({}, { get: (_, name) => new Slot(String(name)) }) as Values;
    let compiled: CompiledQuery<Row> | undefined;
    return async (db: Db, values: Values) => {
      compiled ??= build(db, slots).compile(db);
      const parameters = compiled.parameters.map((value) =>
        value instanceof Slot ? values[value.name] : value,
      );
      return await run(db, { ...compiled, parameters });
    };
  };
}
