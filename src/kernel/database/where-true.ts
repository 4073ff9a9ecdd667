import { sql } from 'kysely';

/**
 * Condition of a `select` before `on conflict`, which SQLite would otherwise read as the condition of a join
 * (https://www.sqlite.org/lang_upsert.html).
 */
export const WHERE_TRUE = sql`where true`;
