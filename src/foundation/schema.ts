import { chatMigrations } from '../chat/tables.ts';
import { identityMigrations } from '../identity/tables.ts';
import type { Migration } from '../kernel/database/migrate.ts';
import { kernelMigrations } from '../kernel/tables.ts';
import { mailMigrations } from '../mail/tables.ts';
import { storageMigrations } from '../storage/migrations.ts';

/** All steps of the schema. They run in the order of their names. */
export const migrations: readonly Migration[] = [
  ...kernelMigrations,
  ...identityMigrations,
  ...storageMigrations,
  ...chatMigrations,
  ...mailMigrations,
];
