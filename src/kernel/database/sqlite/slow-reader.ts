import { type CompiledQuery, DummyDriver, Kysely, type QueryResult } from 'kysely';
import { MB } from '../../bytes.ts';
import { SECOND } from '../../clock.ts';
import { createCompute } from '../../compute/compute.ts';
import type { Log } from '../../log.ts';
import { Problem } from '../../problem.ts';
import { programFile } from '../../program-files.ts';
import type { Reader, Tables } from '../database.ts';
import { sqliteDialect } from './dialect.ts';
import type { ReaderQuery, ReaderResult } from './reader-child.ts';

/** CPU time of one query. */
const QUERY_MS = 5 * SECOND;
/** Processes for long queries: with two, no caller occupies all. */
const CHILDREN = 2;
/** Maximum size of the rows of one query as JSON, bytes. */
const LARGEST_RESULT = 64 * MB;

/** Reads of a SQLite database that may take long, in child processes. */
export interface SlowReader {
  /** Returns a reader whose queries take turns with the queries of other callers. */
  of(caller: string): Reader;
  stop(): void;
}

/**
 * SQLite runs a query on the thread that calls it, so a long one would delay every other request. A query in a child
 * sees all that was committed before; it takes about 0.2 ms more than one in this process, and 150 ms when the child
 * starts. Where a read is usually short, call `readerFor`.
 * @param ms CPU time of one query
 */
export function createSlowReader(file: string, log: Log, ms = QUERY_MS): SlowReader {
  const compute = createCompute({
    name: 'query',
    log,
    program: programFile('kernel/database/sqlite/reader-child'),
    args: [file],
    children: CHILDREN,
    ms,
    output: LARGEST_RESULT,
    killed: () =>
      new Problem('unavailable', 'The query takes too long at the moment.', { retryAfterMs: 5 * SECOND }),
  });

  const run = async (caller: string, query: ReaderQuery) =>
    (await compute.run(caller, { value: query })).value as ReaderResult;

  return {
    of(caller) {
      const execute = async <Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> => {
        const { columns, rows } = await run(caller, { sql, parameters });
        return { rows: rows.map((values) => objectOf(columns, values) as Row) };
      };
      return new Kysely<Tables>({ dialect: sqliteDialect(() => new RemoteDriver(execute)) });
    },
    stop: compute.stop,
  };
}

function objectOf(columns: readonly string[], values: readonly unknown[]): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  columns.forEach((column, index) => {
    row[column] = values[index];
  });
  return row;
}

type Execute = <Row>(query: CompiledQuery) => Promise<QueryResult<Row>>;

/** Passes queries to `execute`. */
class RemoteDriver extends DummyDriver {
  readonly #execute: Execute;

  constructor(execute: Execute) {
    super();
    this.#execute = execute;
  }

  override async acquireConnection() {
    return {
      executeQuery: this.#execute,
      // biome-ignore lint/correctness/useYield: queries are paged instead
      async *streamQuery(): AsyncGenerator<never> {
        throw new Error('a query in another process cannot be streamed');
      },
    };
  }
}
