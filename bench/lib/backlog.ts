import { Database } from 'bun:sqlite';
import { join } from 'node:path';

const DAY_MS = 86_400_000;

/**
 * Adds `count` messages of one kind that are due tomorrow: copies of the latest one of that kind. If that is in a lane,
 * the copies are in a separate lane, where the first blocks the others.
 */
export function fillBacklog(dataDir: string, kind: string, count: number): void {
  const database = new Database(join(dataDir, 'posthouse.sqlite'));
  database.run('pragma busy_timeout = 10000');
  const row = database
    .query<Record<string, string | number | null>, [string]>(
      'select * from outbox where kind = ? order by id desc limit 1',
    )
    .get(kind);
  if (!row) throw new Error(`there is no message of kind ${kind} to copy`);
  const columns = Object.keys(row);
  const insert = database.prepare(
    `insert into outbox (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
  );
  const due = Date.now() + DAY_MS;
  database.transaction(() => {
    for (let index = 0; index < count; index++) {
      const id = Bun.randomUUIDv7();
      const changed: Record<string, string | number | null> = {
        id,
        message_id: id,
        lane: row.lane === null ? null : 'closed',
        position: row.lane === null ? 0 : index + 1,
        blocked: row.lane === null || index === 0 ? 0 : 1,
        status: 'queued',
        next_attempt_at: due,
        deadline_at: due,
        lease_owner: null,
        lease_until: null,
      };
      insert.run(
        ...columns.map((column) => (column in changed ? (changed[column] ?? null) : (row[column] ?? null))),
      );
    }
  })();
  database.close();
}
