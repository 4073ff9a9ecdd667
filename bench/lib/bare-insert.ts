import { Database } from 'bun:sqlite';
import { Hono } from 'hono';

/** The baseline of `bench/chat.ts`: a route that inserts one row, durably, per transaction. */
const database = new Database(process.argv[2] ?? '', { create: true });
database.run('pragma journal_mode = wal');
database.run('pragma synchronous = full');
database.run(
  'create table messages (id text primary key, body text not null, date_created integer not null)',
);
const insert = database.prepare('insert into messages values (?, ?, ?)');
const store = database.transaction((id: string, body: string) => insert.run(id, body, Date.now()));

const app = new Hono();
app.post('/insert', async (c) => {
  const body: unknown = await c.req.json();
  const id = Bun.randomUUIDv7();
  store.immediate(id, JSON.stringify(body));
  return c.json({ id, status: 'queued' }, 202);
});
const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: app.fetch });
process.stdout.write(`${server.port}\n`);
