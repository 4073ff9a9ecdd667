import type { Migration } from '../kernel/database/migrate.ts';

export const chatMigrations: readonly Migration[] = [{ name: '0004_chat', async up() {} }];
