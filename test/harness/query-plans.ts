import { CompiledQuery, type Kysely, type KyselyPlugin } from 'kysely';
import type { Database, Reader, Transaction } from '../../src/kernel/database/database.ts';
import { type DATABASES, freshDatabase } from './database.ts';
import { analyze, fillFiles, fillMessages } from './many-rows.ts';

/** Rows of one table that an operation on a thousand of them may touch. */
const FEW = 4_000;
/** Tables that grow with the use of the server. */
const LARGE =
  /^SCAN (?:memberships|files|file_versions|folders|trash_trees|trash_folders|blob_deletions|upload_parts|(?:download|link)_grants|outbox|attempts|chat_folds)\b/;

/** Runs an operation and returns what is wrong with the plans of its queries. */
export type FlawsOf = (operation: () => Promise<unknown>) => Promise<string[]>;

/** Runs an operation and returns the steps of the plans of its queries, on SQLite. */
export type StepsOf = (operation: () => Promise<unknown>) => Promise<string[]>;

/**
 * Returns a new database with many files and messages, all its queries recorded.
 * @param addMore adds further rows
 */
export async function recordedDatabase(
  kind: (typeof DATABASES)[number],
  rows: number,
  addMore?: (plain: Database) => Promise<void>,
) {
  const plain = await freshDatabase(kind);
  const { workspaceId } = await fillFiles(plain, rows);
  await fillMessages(plain, { count: rows, rare: 20 });
  await addMore?.(plain);
  await analyze(plain);
  return { workspaceId, ...recordQueries(plain) };
}

/** Returns `plain` with all its queries recorded, and functions that examine those of an operation. */
function recordQueries(plain: Database): { database: Database; flawsOf: FlawsOf; stepsOf: StepsOf } {
  let queries: CompiledQuery[] = [];
  const recorder: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      queries.push(plain.schema.getExecutor().compileQuery(node, queryId));
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const recorded = plain.schema.withPlugin(recorder) as unknown as Reader;

  async function examine(
    operation: () => Promise<unknown>,
    by: (database: Database, query: CompiledQuery) => Promise<string[]>,
  ): Promise<string[]> {
    queries = [];
    await operation();
    if (queries.length === 0) throw new Error('the operation has no queries');
    const found: string[] = [];
    for (const query of queries) found.push(...(await by(plain, query)));
    return found;
  }

  return {
    database: {
      ...plain,
      read: recorded,
      slow: () => recorded,
      transaction: (work) => plain.transaction((trx) => work(trx.withPlugin(recorder) as Transaction)),
    },
    flawsOf: (operation) => examine(operation, flawsIn),
    stepsOf: (operation) => examine(operation, stepsIn),
  };
}

async function flawsIn(database: Database, query: CompiledQuery): Promise<string[]> {
  return database.kind === 'sqlite' ? await scansIn(database, query) : await largeNodesIn(database, query);
}

/** A plan of SQLite does not depend on the number of rows. */
async function scansIn(database: Database, query: CompiledQuery): Promise<string[]> {
  const { sql } = query;
  // A scan along an index in the order of a page ends with the page; some indexes have the queued rows only.
  const isPage = /order by .* limit|^select [^?]* limit \?(?: offset \?)?$/.test(sql);
  const isFew = (detail: string) => (isPage && / USING /.test(detail)) || / outbox_(lane|due)\b/.test(detail);
  return (await stepsIn(database, query))
    .filter((detail) => LARGE.test(detail) && !isFew(detail))
    .map((detail) => `${detail} in ${sql}`);
}

async function stepsIn({ read }: Database, { sql, parameters }: CompiledQuery): Promise<string[]> {
  // Explaining a write prepares it, which would keep the connection of writes busy.
  const reader = read as unknown as Kysely<unknown>;
  const { rows } = await reader.executeQuery<{ detail: string }>(
    CompiledQuery.raw(`explain query plan ${sql}`, [...parameters]),
  );
  return rows.map(({ detail }) => detail);
}

/** Runs the query, and undoes its changes. */
async function largeNodesIn({ schema }: Database, { sql, parameters }: CompiledQuery): Promise<string[]> {
  const trx = await schema.startTransaction().execute();
  const { rows } = await trx
    .executeQuery<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
      CompiledQuery.raw(`explain (analyze, format json) ${sql}`, [...parameters]),
    )
    .finally(() => trx.rollback().execute());
  return nodesOf(rows[0]?.['QUERY PLAN'][0]?.Plan).flatMap((node) =>
    touched(node) > FEW ? [`${node['Node Type']} of ${touched(node)} rows in ${sql}`] : [],
  );
}

/** https://www.postgresql.org/docs/current/using-explain.html: rows are averages of the loops. */
interface PlanNode {
  'Node Type': string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

function nodesOf(node: PlanNode | undefined): PlanNode[] {
  return node ? [node, ...(node.Plans ?? []).flatMap(nodesOf)] : [];
}

function touched(node: PlanNode): number {
  return (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
}
