import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { shapeConfig } from '../src/config/config.ts';
import { readSettings } from '../src/config/env.ts';
import { openFoundation } from '../src/foundation/foundation.ts';
import { readNow } from '../src/kernel/database/now.ts';
import { runJson } from '../test/harness/command.ts';
import { createTestDatabase } from '../test/harness/databases.ts';
import { addMailClient } from '../test/harness/mail.ts';
import { startPeers } from '../test/harness/peers.ts';
import { startProcess } from '../test/harness/start.ts';
import { insertTables } from './lib/insert.ts';
import { run } from './lib/load.ts';
import { addChannels, chatMessage, mailMessage, UNLIMITED_CHAT } from './lib/messages.ts';
import { readOptions } from './lib/options.ts';
import { type Compared, compare } from './lib/pairs.ts';
import { markdown, pairsTable } from './lib/pairs-table.ts';
import { finish, print, record } from './lib/report.ts';
import { jsonRequest } from './lib/request.ts';
import { median } from './lib/statistics.ts';

/*
 * Measures chat messages and e-mails on one and three nodes: accepted and delivered a second, and the times from the
 * acceptance to the delivery into the sandbox, by the clock of the database. The baseline inserts one row per
 * transaction into the same database: `npm run bench -- nodes`. Commits wait for the disk.
 */

const CONNECTIONS = 64;
const { messages: MESSAGES, pairs: PAIRS, write } = readOptions('nodes');
const CHANNELS = 16;
const TARGET = { sqlite: 2, postgres: 3 } as const;

const directory = mkdtempSync(join(tmpdir(), 'posthouse-bench-'));
const peers = await startPeers({ durable: true });

/** Each comparison, with a row about the delivery. */
const table: [Compared, string[]][] = [];

type Settings = Record<string, string>;

async function measure(kind: 'sqlite' | 'postgres', count: number): Promise<void> {
  const own = mkdtempSync(join(directory, `${kind}-`));
  const url = kind === 'postgres' ? await createTestDatabase(peers) : null;
  const shared: Settings = {
    POSTHOUSE_LOG_LEVEL: 'warn',
    ...UNLIMITED_CHAT,
    POSTHOUSE_MAIL_FROM: 'Bench <bench@example.org>',
    ...(url && {
      POSTHOUSE_DATABASE_URL: url,
      POSTHOUSE_SECRET: 'the-same-secret-on-all-nodes-of-a-benchmark',
    }),
  };
  /** Settings of a node. */
  const settingsOf = (index: number) => ({ ...shared, POSTHOUSE_DATA_DIR: join(own, String(index)) });
  // The first one creates the tables.
  const nodes = [await startProcess(settingsOf(0))];
  while (nodes.length < count) nodes.push(await startProcess(settingsOf(nodes.length)));
  await addChannels((...words) => runJson(settingsOf(0), ...words), CHANNELS);
  const mailClient = await addMailClient(settingsOf(0), 'bench', '--services', 'email');
  const bare = await startBare(url ?? join(own, 'bare.sqlite'));
  const foundation = await openDatabase(settingsOf(0));
  const ports = nodes.map((node) => Number(new URL(node.url).port));
  const pids = nodes.map(({ pid }) => pid);
  try {
    for (const [name, head] of [
      ['chat messages', chatHead],
      ['e-mails', () => mailHead(mailClient)],
    ] as const) {
      const delivered: number[] = [];
      const times: { p50: number; p99: number }[] = [];
      const where = `${kind}, ${count} ${count === 1 ? 'node' : 'nodes'}`;
      const compared = await compare({
        name: `${name} accepted, ${where}`,
        pairs: PAIRS,
        unit: 'messages/s',
        targets: [TARGET[kind]],
        workUnit: 'message, accepted and delivered',
        ours: {
          name: 'Posthouse',
          pids,
          async run() {
            const since = await nowOf(foundation);
            const started = performance.now();
            const outcomes = await Promise.all(
              ports.map((port) => load(port, head, MESSAGES / ports.length, CONNECTIONS / ports.length)),
            );
            const accepted = MESSAGES / ((performance.now() - started) / 1_000);
            while ((await queued(foundation)) > 0) await Bun.sleep(10);
            delivered.push(MESSAGES / ((performance.now() - started) / 1_000));
            times.push(await timesSince(foundation, since));
            return { speed: accepted, work: MESSAGES, times: outcomes.flatMap((outcome) => outcome.times) };
          },
        },
        theirs: {
          name: 'bare insert',
          pids: [bare.pid],
          async run() {
            const outcome = await load(bare.port, bareHead, MESSAGES, CONNECTIONS);
            return { speed: outcome.requestsPerSecond, work: MESSAGES, times: outcome.times };
          },
        },
      });
      // The first round warms up.
      for (const each of [delivered, times]) each.shift();
      const perSecond = Math.round(median(delivered));
      const [p50, p99] = [median(times.map((each) => each.p50)), median(times.map((each) => each.p99))];
      print(
        `  accepted and delivered ${perSecond} a second; from acceptance to delivery p50 ${p50} ms, p99 ${p99} ms`,
      );
      table.push([
        compared,
        [`${compared.name}, then delivered`, `${perSecond} messages/s`, `${p50} ms, ${p99} ms`],
      ]);
      record(`${name} delivered, ${where}`, { perSecond: delivered, times });
    }
  } finally {
    bare.stop();
    await foundation.close();
    await Promise.all(nodes.map((node) => node.stop()));
  }
}

function load(port: number, head: () => string, requests: number, connections: number) {
  return run({ port, connections: Math.round(connections), requests, head, expect: 202 });
}

let number = 0;
const request = (path: string, body: object) => jsonRequest(path, body, { Prefer: 'respond-async' });
const chatHead = () => request('/api/chatbot/sendmessage', chatMessage(number++, CHANNELS));
const bareHead = () => request('/insert', chatMessage(number++, CHANNELS));
const mailHead = (client: object) => request('/requestemail', { ...client, ...mailMessage(number++) });

async function startBare(place: string) {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'lib/bare-insert.ts'), place], {
    stdout: 'pipe',
  });
  const { value } = await child.stdout.getReader().read();
  return { port: Number(new TextDecoder().decode(value)), pid: child.pid, stop: () => child.kill() };
}

async function openDatabase(settings: Settings) {
  const { config, secrets } = shapeConfig(readSettings({}, settings));
  return await openFoundation({ ...config, logLevel: 'silent' }, secrets);
}

type Foundation = Awaited<ReturnType<typeof openDatabase>>;

const nowOf = ({ database }: Foundation) => database.transaction((trx) => readNow(database, trx));

async function queued({ database }: Foundation): Promise<number> {
  const [row] = await database.read
    .selectFrom('outbox')
    .select((of) => of.fn.countAll<number>().as('count'))
    .where('status', '=', 'queued')
    .execute();
  return Number(row?.count);
}

async function timesSince({ database }: Foundation, since: number): Promise<{ p50: number; p99: number }> {
  const rows = await database.read
    .selectFrom('outbox')
    .select(['date_created', 'date_finished'])
    .where('date_created', '>=', since)
    .where('status', '=', 'sent')
    .execute();
  const times = rows
    .map((row) => (row.date_finished ?? 0) - row.date_created)
    .sort((one, other) => one - other);
  if (times.length < MESSAGES) throw new Error(`${times.length} of ${MESSAGES} messages were sent`);
  const at = (share: number) => times[Math.floor(times.length * share)] ?? 0;
  return { p50: at(0.5), p99: at(0.99) };
}

try {
  await measure('sqlite', 1);
  await measure('postgres', 1);
  await measure('postgres', 3);
  if (write) {
    const heads = ['Measurement', 'Accepted and delivered', 'Acceptance to delivery, p50, p99'];
    const deliveries = table.map(([, row]) => row);
    insertTables('nodes', pairsTable(table.map(([compared]) => compared)), markdown(heads, deliveries));
  }
  finish('nodes');
} finally {
  await peers.stop();
  rmSync(directory, { recursive: true, force: true });
}
process.exit(0);
