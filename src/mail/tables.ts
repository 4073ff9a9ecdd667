import type { Migration } from '../kernel/database/migrate.ts';

export const mailMigrations: readonly Migration[] = [{ name: '0005_mail', async up() {} }];
