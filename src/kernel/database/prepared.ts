import type { CompiledQuery } from 'kysely';
import type { Prepare, Query, Reader } from './database.ts';

/** The placeholder of a named value in a query. */
class Placeholder {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** Runs a compiled query. */
export type RunQuery = <Row>(db: Reader, query: CompiledQuery<Row>) => Row[] | Promise<Row[]>;

export const runWithKysely: RunQuery = async <Row>(db: Reader, query: CompiledQuery<Row>) =>
  (await db.getExecutor().executeQuery<Row>(query)).rows;

/** @param onLookup called once with the text of each look-up */
export function createPrepare(run: RunQuery, onLookup: (text: string) => void = () => {}): Prepare {
  return <Db extends Reader, Values extends Record<string, string | number | null>, Row>(
    build: (db: Db, values: Values) => Query<Row>,
    { isLookup = false } = {},
  ) => {
    const placeholders = new Proxy({}, { get: (_, name) => new Placeholder(String(name)) }) as Values;
    let query: CompiledQuery<Row> | undefined;
    function compile(db: Db): CompiledQuery<Row> {
      const made = build(db, placeholders).compile(db);
      if (isLookup) onLookup(made.sql);
      return made;
    }
    return async (db: Db, values: Values) => {
      query ??= compile(db);
      const parameters = query.parameters.map((value) =>
        value instanceof Placeholder ? values[value.name] : value,
      );
      return await run(db, { ...query, parameters });
    };
  };
}
