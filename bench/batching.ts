import { Database } from 'bun:sqlite';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CheckoutServer, startCheckout } from './lib/checkout.ts';
import { run } from './lib/load.ts';
import { addChannels, chatMessage, mailMessage, UNLIMITED_CHAT } from './lib/messages.ts';
import { readOptions } from './lib/options.ts';
import { finish, print, record } from './lib/report.ts';
import { jsonRequest } from './lib/request.ts';
import { startSink } from './lib/sink.ts';
import { median } from './lib/statistics.ts';

/**
 * Compares how checkouts of this repository accept and deliver messages: `node_modules/bun/bin/bun.exe
 * bench/batching.ts --checkouts=DIRECTORY,DIRECTORY` (default: this checkout). The rounds of the checkouts alternate,
 * and CPU time is printed with the wall time, because the speed of a shared machine drifts.
 */
const { rounds, checkouts } = readOptions('batching');
const directories = checkouts ? checkouts.split(',') : [join(import.meta.dir, '..')];
const CHANNELS = 16;
const CHATS = 1_500;
const MAILS = 400;
const SINGLE = 50;
/** Time after which the e-mails of a backlog become due: more than it takes to store them. */
const BACKLOG_LEAD_MS = 8_000;

/** Seconds until all messages are accepted and until all are delivered, and CPU seconds of the server. */
interface Figures {
  accepted: number;
  delivered: number;
  cpu: number;
}

interface Side {
  name: string;
  server: CheckoutServer;
  dataDir: string;
  mailClient: Record<string, string>;
}

const scratch = mkdtempSync(join(tmpdir(), 'posthouse-bench-'));
const sink = await startSink();

async function open(directory: string, index: number): Promise<Side> {
  const dataDir = join(scratch, String(index));
  const server = await startCheckout(directory, {
    POSTHOUSE_DATA_DIR: dataDir,
    POSTHOUSE_LOG_LEVEL: 'warn',
    ...UNLIMITED_CHAT,
    ...sink.settings,
  });
  await addChannels(server.run, CHANNELS);
  const mailClient = await server.run<Record<string, string>>(
    'mail-client',
    'add',
    '--name',
    'bench',
    '--services',
    'email',
  );
  return { name: directory, server, dataDir, mailClient };
}

let count = 0;
function chat(prefer: string): string {
  return jsonRequest('/api/chatbot/sendmessage', chatMessage(count++, CHANNELS), { Prefer: prefer });
}

function mail(client: Record<string, string>, sendAt?: string): string {
  const message = { ...client, ...mailMessage(count++), SendAt: sendAt };
  return jsonRequest('/requestemail', message, { Prefer: 'respond-async' });
}

/** Sends requests and waits until no message is queued. */
async function measure(
  { server, dataDir }: Side,
  load: { connections: number; requests: number; expect: number; head(): string },
): Promise<Figures> {
  const database = new Database(join(dataDir, 'posthouse.sqlite'), { readonly: true });
  const queued = database.query<{ id: string }, []>("select id from outbox where status = 'queued' limit 1");
  const started = performance.now();
  const cpu = server.cpuSeconds();
  const { seconds } = await run({ port: server.port, ...load });
  while (queued.get() !== null) await Bun.sleep(5);
  database.close();
  return {
    accepted: seconds,
    delivered: (performance.now() - started) / 1000,
    cpu: server.cpuSeconds() - cpu,
  };
}

/** Stores e-mails that become due at the same time, then measures their delivery. */
async function measureBacklog(side: Side): Promise<Figures> {
  const due = Date.now() + BACKLOG_LEAD_MS;
  const head = () => mail(side.mailClient, new Date(due).toISOString());
  const { seconds } = await run({
    port: side.server.port,
    connections: 32,
    requests: MAILS,
    head,
    expect: 202,
  });
  await Bun.sleep(due - Date.now());
  const { delivered, cpu } = await measure(side, { connections: 0, requests: 0, expect: 202, head });
  return { accepted: seconds, delivered, cpu };
}

const SCENARIOS: Record<string, (side: Side) => Promise<Figures>> = {
  [`${CHATS} chat messages over 64 connections, stored`]: (side) =>
    measure(side, { connections: 64, requests: CHATS, expect: 202, head: () => chat('respond-async') }),
  [`${CHATS} chat messages over 64 connections, answered after delivery`]: (side) =>
    measure(side, { connections: 64, requests: CHATS, expect: 200, head: () => chat('wait=10') }),
  [`${SINGLE} chat messages over 1 connection, answered after delivery`]: (side) =>
    measure(side, { connections: 1, requests: SINGLE, expect: 200, head: () => chat('wait=10') }),
  [`${MAILS} mails over 32 connections, stored`]: (side) =>
    measure(side, { connections: 32, requests: MAILS, expect: 202, head: () => mail(side.mailClient) }),
  [`${MAILS} mails of a backlog, delivered once they are due`]: measureBacklog,
};

const sides: Side[] = [];
for (const [index, directory] of directories.entries()) sides.push(await open(directory, index));
const figures = new Map<string, Figures[]>();
for (let round = 0; round <= rounds; round++) {
  for (const [scenario, runScenario] of Object.entries(SCENARIOS)) {
    // The first side alternates, which balances the effects of one run on the next.
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
      const result = await runScenario(side);
      // The first round warms up.
      if (round > 0)
        figures.set(`${scenario}|${side.name}`, [...(figures.get(`${scenario}|${side.name}`) ?? []), result]);
    }
  }
}
for (const scenario of Object.keys(SCENARIOS)) {
  print(scenario);
  for (const { name } of sides) {
    const all = figures.get(`${scenario}|${name}`) ?? [];
    const of = (pick: (each: Figures) => number) => median(all.map(pick)).toFixed(2);
    record(scenario, { checkout: name, seconds: all });
    print(
      `  accepted ${of((each) => each.accepted)} s, delivered ${of((each) => each.delivered)} s, CPU ${of((each) => each.cpu)} s   ${name}`,
    );
  }
}
finish('batching');
for (const { server } of sides) await server.stop();
sink.stop();
rmSync(scratch, { recursive: true, force: true });
