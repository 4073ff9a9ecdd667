import type { Migration } from '../kernel/database/migrate.ts';

export const identityMigrations: readonly Migration[] = [{ name: '0002_identity', async up() {} }];
