/**
 * The statements that create the tables of the search, empty: the indexer fills them. Triggers record the files whose
 * parts no longer match their block, including those that older programs, without the search, change.
 */
export function searchSchema(isPostgres: boolean): string[] {
  const binaryText = isPostgres ? 'text collate "C"' : 'text';
  return [
    'create table search_blocks (block bigint primary key, last_id text not null unique)',
    'create table search_files (chunk integer primary key, file_ids text not null)',
    `create table search_parts (
      part ${binaryText} not null, block bigint not null, members bytea not null,
      constraint search_parts_key primary key (part, block))${isPostgres ? '' : ' without rowid'}`,
    'create index search_parts_block on search_parts (block)',
    'create table search_changes (file_id text primary key)',
    ...(isPostgres ? POSTGRES_TRIGGERS : SQLITE_TRIGGERS),
  ];
}

/**
 * With it, the rows of one part are read from the index alone, where they are adjacent as in SQLite, instead of from as
 * many pages of the table.
 */
export const PARTS_TOGETHER = [
  `alter table search_parts drop constraint search_parts_key,
    add constraint search_parts_key primary key (part, block) include (members)`,
];

const CHANGING = 'update of name_key, mime_type, workspace_id, deleted_at on files';
const IS_OTHER = ['name_key', 'mime_type', 'workspace_id', 'deleted_at']
  .map((column) => `old.${column} is distinct from new.${column}`)
  .join(' or ');
/** Ids of new files are greater than those in blocks, unless a clock was set back. */
const IS_LATE = 'new.id <= (select max(last_id) from search_blocks)';

const SQLITE_NOTE = 'begin insert into search_changes (file_id) values (new.id) on conflict do nothing; end';
const SQLITE_TRIGGERS = [
  `create trigger files_search_changed after ${CHANGING} when ${IS_OTHER} ${SQLITE_NOTE}`,
  `create trigger files_search_added after insert on files when ${IS_LATE} ${SQLITE_NOTE}`,
];

// The update locks an existing row, so that the indexer cannot delete it before this transaction is committed.
const POSTGRES_NOTE = `insert into search_changes (file_id) values (new.id)
  on conflict (file_id) do update set file_id = excluded.file_id`;
const functionOf = (name: string, body: string) =>
  `create function ${name}() returns trigger language plpgsql as $$ begin ${body}; return null; end $$`;
const POSTGRES_TRIGGERS = [
  functionOf('search_note_changed', POSTGRES_NOTE),
  functionOf('search_note_added', `if ${IS_LATE} then ${POSTGRES_NOTE}; end if`),
  `create trigger files_search_changed after ${CHANGING}
    for each row when (${IS_OTHER}) execute function search_note_changed()`,
  'create trigger files_search_added after insert on files for each row execute function search_note_added()',
];

/** The beginning of ids of 30 seconds ago, as `firstIdAt`. */
const OLD_ID = `(select substr(hex, 1, 8) || '-' || substr(hex, 9) from (select lpad(to_hex(
  floor(extract(epoch from clock_timestamp() - interval '30 seconds') * 1000)::bigint), 12, '0') as hex) as old)`;
const recordOldIds = (condition: string) => [
  `create or replace function search_note_added() returns trigger language plpgsql as $$
    declare last text := (select max(last_id) from search_blocks);
    begin
      if ${condition} then ${POSTGRES_NOTE}; end if;
      return null;
    end $$`,
];
/**
 * Also records new files with old ids, which a node with a slow clock creates: a transaction that does not see them may
 * be writing their block.
 */
export const OLD_IDS = recordOldIds(`last is not null and new.id <= greatest(last, ${OLD_ID})`);
/** The same for the first block. A restored backup records nothing: `load` disables triggers. */
export const OLD_IDS_OF_FIRST_BLOCK = recordOldIds(`new.id <= greatest(last, ${OLD_ID})`);
