import { isPostgres, type Migration, runStatements } from '../../kernel/database/migrate.ts';
import { OLD_IDS, OLD_IDS_OF_FIRST_BLOCK, PARTS_TOGETHER, searchSchema } from './schema.ts';

export const searchMigrations: readonly Migration[] = [
  {
    name: '0027_search',
    kind: 'expand',
    up: (schema) => runStatements(schema, searchSchema(isPostgres(schema))),
  },
  {
    name: '0034_search_parts_together',
    kind: 'expand',
    only: 'postgres',
    up: PARTS_TOGETHER,
  },
  {
    name: '0038_folder_names',
    kind: 'expand',
    up: ['create index folders_names on folders (workspace_id, name_key) where deleted_at is null'],
  },
  {
    name: '0044_search_old_ids',
    kind: 'expand',
    // SQLite runs one transaction at a time.
    only: 'postgres',
    up: OLD_IDS,
  },
  {
    name: '0045_search_old_ids_first',
    kind: 'expand',
    only: 'postgres',
    up: OLD_IDS_OF_FIRST_BLOCK,
  },
];
