import { Database } from 'bun:sqlite';
import { Hono } from 'hono';
import { Pool } from 'pg';

/**
 * The baseline of messages: a route that inserts one row, durably, per transaction. The argument is the file of a SQLite
 * database, or the URL of a PostgreSQL one.
 */
const [place = ''] = process.argv.slice(2);
const TABLE = 'create table messages (id text primary key, body text not null, date_created bigint not null)';

function openSqlite(): (id: string, body: string) => void {
  const database = new Database(place, { create: true });
  database.run('pragma journal_mode = wal');
  database.run('pragma synchronous = full');
  database.run(TABLE);
  const insert = database.prepare('insert into messages values (?, ?, ?)');
  return database.transaction((id: string, body: string) => insert.run(id, body, Date.now())).immediate;
}

async function openPostgres(): Promise<(id: string, body: string) => Promise<unknown>> {
  const pool = new Pool({ connectionString: place, max: 10 });
  await pool.query(TABLE);
  const text = 'insert into messages values ($1, $2, $3)';
  return (id, body) => pool.query({ name: 'insert', text, values: [id, body, Date.now()] });
}

const store = place.startsWith('postgres://') ? await openPostgres() : openSqlite();
const app = new Hono();
app.post('/insert', async (c) => {
  const body: unknown = await c.req.json();
  const id = Bun.randomUUIDv7();
  await store(id, JSON.stringify(body));
  return c.json({ id, status: 'queued' }, 202);
});
const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: app.fetch });
process.stdout.write(`${server.port}\n`);
