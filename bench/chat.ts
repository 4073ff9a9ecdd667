import { Database } from 'bun:sqlite';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runJson } from '../test/harness/command.ts';
import { startProcess } from '../test/harness/start.ts';
import { fillBacklog } from './lib/backlog.ts';
import { insertTables } from './lib/insert.ts';
import { run } from './lib/load.ts';
import { addChannels, chatMessage, UNLIMITED_CHAT } from './lib/messages.ts';
import { readOptions } from './lib/options.ts';
import { type Compared, compare, type Run } from './lib/pairs.ts';
import { pairsTable } from './lib/pairs-table.ts';
import { finish, print, record } from './lib/report.ts';
import { jsonRequest } from './lib/request.ts';
import { median, spread } from './lib/statistics.ts';
import { syncTime } from './lib/sync-time.ts';

/**
 * Compares chat messages accepted durably (`Prefer: respond-async`), while others are delivered, with a plain Hono route
 * that only inserts the body of each request, one row per transaction. Both use SQLite and wait for
 * the disk, so TMPDIR must be on one. Prints the time until the messages are delivered as well: `npm run bench -- chat`.
 */
const CONNECTIONS = 64;
const { messages: REQUESTS, backlog: BACKLOG, pairs: PAIRS, write } = readOptions('chat');
const CHANNELS = 16;
/** One for acceptance on SQLite, and one that must hold in any case. */
const TARGETS = [2, 1.5];
const directory = mkdtempSync(join(tmpdir(), 'posthouse-bench-'));
const settings = {
  POSTHOUSE_DATA_DIR: join(directory, 'data'),
  POSTHOUSE_LOG_LEVEL: 'warn',
  ...UNLIMITED_CHAT,
};

const posthouse = await startProcess(settings);
await addChannels((...words) => runJson(settings, ...words), CHANNELS);
const bare = Bun.spawn(
  [process.execPath, join(import.meta.dir, 'lib/bare-insert.ts'), join(directory, 'bare.sqlite')],
  { stdout: 'pipe' },
);
const barePort = Number(new TextDecoder().decode((await bare.stdout.getReader().read()).value));

let count = 0;
const request = (path: string) => () =>
  jsonRequest(path, chatMessage(count++, CHANNELS), { Prefer: 'respond-async' });

async function send(port: number, path: string): Promise<Run> {
  const load = { connections: CONNECTIONS, requests: REQUESTS, head: request(path), expect: 202 };
  const { requestsPerSecond, times } = await run({ port, ...load });
  return { speed: requestsPerSecond, work: REQUESTS, times };
}

/**
 * Waits until the messages are delivered, which would slow down the other side.
 * @param left number of those of the backlog
 */
async function drained(left = 0): Promise<void> {
  const database = new Database(join(settings.POSTHOUSE_DATA_DIR, 'posthouse.sqlite'), { readonly: true });
  const waiting = database.query<{ count: number }, []>(
    "select count(*) as count from outbox where status = 'queued'",
  );
  while ((waiting.get()?.count ?? 0) > left) await Bun.sleep(10);
  database.close();
}

async function measure(name: string, left: number): Promise<Compared> {
  const delivered: number[] = [];
  const compared = await compare({
    name,
    pairs: PAIRS,
    unit: 'messages/s',
    targets: TARGETS,
    workUnit: 'message, accepted and delivered',
    ours: {
      name: 'Posthouse',
      pids: [posthouse.pid],
      async run() {
        const started = performance.now();
        const accepted = await send(Number(new URL(posthouse.url).port), '/api/chatbot/sendmessage');
        await drained(left);
        delivered.push((REQUESTS / (performance.now() - started)) * 1000);
        return accepted;
      },
    },
    theirs: { name: 'bare insert', pids: [bare.pid], run: () => send(barePort, '/insert') },
  });
  // The first round warms up.
  delivered.shift();
  print(`  accepted and delivered ${Math.round(median(delivered))} messages/s`);
  record(`${name}, then delivered`, { perSecond: spread(delivered) });
  return compared;
}

try {
  print(`syncing a page to the disk takes ${syncTime(directory).toFixed(2)} ms`);
  const idle = await measure('chat messages accepted', 0);
  fillBacklog(settings.POSTHOUSE_DATA_DIR, 'chat', BACKLOG);
  const busy = await measure(`chat messages accepted while ${BACKLOG.toLocaleString('en-US')} wait`, BACKLOG);
  if (write) insertTables('chat', pairsTable([idle, busy]));
  finish('chat');
} finally {
  bare.kill();
  await posthouse.stop();
  rmSync(directory, { recursive: true, force: true });
}
