import type { Migration } from '../kernel/database/migrate.ts';

export const storageMigrations: readonly Migration[] = [{ name: '0003_storage', async up() {} }];
