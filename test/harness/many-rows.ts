import { sql, type Transaction } from 'kysely';
import type { Database } from '../../src/kernel/database/database.ts';
import { addPersonal } from './storage-rows.ts';

/** The database itself creates the rows: a million through the program would take minutes. */
const numbers = (count: number) =>
  sql`with recursive numbers(i) as (select 1 union all select i + 1 from numbers where i < ${sql.lit(count)})`;
/** Text whose order is that of the numbers. */
const ID = sql`cast(1000000000000 + i as text)`;

const OWNER = 'owner';
const FILES_IN_A_FOLDER = 1000;

export interface ManyFiles {
  workspaceId: string;
  /** Holds ten folders, of 100 files each. */
  folderId: string;
  /** Holds all other files, in folders of 1,000 files each. */
  restId: string;
}

/** Creates `count` files in one workspace: 1,000 below one folder, and the others below another. */
export async function fillFiles(database: Database, count: number): Promise<ManyFiles> {
  const { id: workspaceId, rootFolderId } = await addPersonal(database, OWNER);
  const place = { workspaceId, rootFolderId };
  // Not `transaction`, whose statements have a time limit.
  await database.schema.transaction().execute(async (trx) => {
    await addTree(trx, place, { name: 'one', count: 1000, inAFolder: 100 });
    await addTree(trx, place, { name: 'rest', count: count - 1000, inAFolder: FILES_IN_A_FOLDER });
  });
  await analyze(database, 'workspaces', 'folders', 'files');
  return { workspaceId, folderId: 'one', restId: 'rest' };
}

interface Tree {
  name: string;
  count: number;
  inAFolder: number;
}

async function addTree(
  trx: Transaction<unknown>,
  { workspaceId, rootFolderId }: { workspaceId: string; rootFolderId: string },
  { name, count, inAFolder }: Tree,
): Promise<void> {
  const folder = (id: ReturnType<typeof sql>, parent: string) => sql`
    insert into folders (id, workspace_id, parent_id, name, name_key, date_created)
    ${numbers(Math.max(1, Math.ceil(count / inAFolder)))}
    select ${id}, ${workspaceId}, ${parent}, 'folder ' || ${id}, 'folder ' || ${id}, i from numbers`;
  await sql`${folder(sql`${sql.lit(name)}`, rootFolderId)} limit 1`.execute(trx);
  await folder(sql`${sql.lit(name)} || i`, name).execute(trx);
  if (count <= 0) return;
  const number = sql`${sql.lit(name)} || ${ID}`;
  await sql`
    insert into files (id, workspace_id, folder_id, original_name, name_key, size_bytes, mime_type, visibility,
      blob_key, sha256, crc32, direct_token, ui_token, download_count, thumbnail_state, thumbnail_attempts,
      date_created, date_modified)
    ${numbers(count)}
    select ${number}, ${workspaceId}, ${sql.lit(name)} || (1 + (i - 1) / ${sql.lit(inAFolder)}), 'file ' || i,
      'file ' || i, 10, 'text/plain', 0, ${number}, '', 0, ${number}, ${number}, 0, 'none', 0, i, i from numbers`.execute(
    trx,
  );
}

export interface ManyMessages {
  count: number;
  /** Messages of the client `rare`, of kind `telegram`, that failed; spread evenly. */
  rare: number;
}

/** Creates messages of 500 bytes: sent ones of kind `email`, and a few others. */
export async function fillMessages(database: Database, { count, rare }: ManyMessages): Promise<void> {
  const every = sql.lit(Math.max(1, Math.floor(count / rare)));
  const pick = (one: string, other: string) =>
    sql`case when i % ${every} = 0 then ${sql.lit(one)} else ${sql.lit(other)} end`;
  await database.schema.transaction().execute(async (trx) => {
    await sql`
      insert into outbox (id, message_id, part, kind, client_id, blocked, status, payload, attempts,
        next_attempt_at, deadline_at, sandbox, date_created, date_finished)
      ${numbers(count)}
      select ${ID}, ${ID}, 0, ${pick('telegram', 'email')}, ${pick('rare', 'usual')}, 0, ${pick('failed', 'sent')},
        ${sql.lit(JSON.stringify({ subject: 'Hello', text: 'x'.repeat(450) }))}, 1, 0, 0,
        case when i % ${every} = 0 then 1 else 0 end, i * 1000, i * 1000
      from numbers`.execute(trx);
  });
  await analyze(database, 'outbox');
}

/**
 * Updates PostgreSQL's statistics of tables (of all, without names), as autovacuum would. SQLite's plans never depend
 * on it here.
 */
export async function analyze({ kind, schema }: Database, ...tables: string[]): Promise<void> {
  if (kind === 'postgres')
    await sql`vacuum analyze ${sql.join(tables.map((table) => sql.table(table)))}`.execute(schema);
}

/** Files of a search among many: half are photographs, added first; the others documents of many names. */
const NAME = sql`case when i <= n / 2 then 'img_' || (20190000 + i / 500) || '_' || (i * 7919 % 1000000) || '.jpg'
  else 'report ' || i || ' of the meeting ' || (i * 31 % 977) || '.pdf' end`;

/**
 * Creates `count` files in folders below the root of a workspace, 10,000 in each. The times in their ids are spread in
 * order over the last thirty days.
 */
export async function fillNamed(
  database: Database,
  { workspaceId, rootFolderId }: { workspaceId: string; rootFolderId: string },
  count: number,
): Promise<void> {
  const hex = (value: ReturnType<typeof sql>, digits: number) =>
    database.kind === 'sqlite'
      ? sql`printf(${sql.lit(`%0${digits}x`)}, ${value})`
      : sql`lpad(to_hex(cast(${value} as bigint)), ${sql.lit(digits)}, '0')`;
  const since = Date.now() - 30 * 86_400_000;
  const time = sql`(${sql.lit(since)} + cast(i as bigint) * ${sql.lit(30 * 86_400_000 - 600_000)} / n)`;
  const id = sql`substr(${hex(time, 12)}, 1, 8) || '-' || substr(${hex(time, 12)}, 9, 4) || '-7000-8000-' || ${hex(sql`i`, 12)}`;
  const folder = sql`${rootFolderId.slice(0, 24)} || ${hex(sql`1 + (i - 1) / 10000`, 12)}`;
  await database.schema.transaction().execute(async (trx) => {
    await sql`
      insert into folders (id, workspace_id, parent_id, name, name_key, date_created)
      ${numbers(count)} select ${folder}, ${workspaceId}, ${rootFolderId}, 'f' || i, 'f' || i, 1
      from numbers where i % 10000 = 1`.execute(trx);
    await sql`
      insert into files (id, workspace_id, folder_id, original_name, name_key, size_bytes, mime_type, visibility,
        blob_key, sha256, crc32, direct_token, ui_token, download_count, thumbnail_state, thumbnail_attempts,
        date_created, date_modified)
      ${numbers(count)}
      select ${id}, ${workspaceId}, ${folder}, ${NAME}, ${NAME}, 10,
        case when i <= n / 2 then 'image/jpeg' else 'application/pdf' end, 0, ${id}, '', 0, ${id}, ${id}, 0, 'none',
        0, ${time}, ${time}
      from (select cast(i as bigint) as i, cast(${sql.lit(count)} as bigint) as n from numbers) as numbers`.execute(
      trx,
    );
  });
  await analyze(database, 'folders', 'files');
}
