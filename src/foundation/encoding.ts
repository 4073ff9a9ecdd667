import { sql } from 'kysely';
import type { Database } from '../kernel/database/database.ts';

/**
 * @throws Error with a sentence for the operator when the database does not store every character: names, and replies
 * of mail servers, can have any of them (https://www.postgresql.org/docs/current/multibyte.html)
 */
export async function requireUtf8({ kind, schema }: Database): Promise<void> {
  if (kind === 'sqlite') return;
  const query = sql<{ encoding: string }>`select current_setting('server_encoding') as encoding`;
  const encoding = (await query.execute(schema)).rows[0]?.encoding;
  if (encoding === 'UTF8') return;
  throw new Error(
    `The database in POSTHOUSE_DATABASE_URL has the encoding ${encoding}, and must have UTF8. Create one with ` +
      `“create database … encoding 'UTF8' template template0”; pg_dump and pg_restore copy existing data.`,
  );
}
