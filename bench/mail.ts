import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addMailClient } from '../test/harness/mail.ts';
import { startProcess } from '../test/harness/start.ts';
import { fillBacklog } from './lib/backlog.ts';
import { insertTables } from './lib/insert.ts';
import { run } from './lib/load.ts';
import { readOptions } from './lib/options.ts';
import { type Compared, compare, type Run } from './lib/pairs.ts';
import { pairsTable } from './lib/pairs-table.ts';
import { finish } from './lib/report.ts';
import { headOf } from './lib/request.ts';
import { startSink } from './lib/sink.ts';

/** Compares e-mails delivered from the outbox with a plain pool of the mail library: `npm run bench -- mail`. */
const { mails: MAILS, backlog: BACKLOG, pairs: PAIRS, write } = readOptions('mail');
const CONNECTIONS = 10;

const directory = mkdtempSync(join(tmpdir(), 'posthouse-bench-'));
const sink = await startSink();
const settings = {
  POSTHOUSE_DATA_DIR: join(directory, 'data'),
  ...sink.settings,
  POSTHOUSE_LOG_LEVEL: 'warn',
};
const posthouse = await startProcess(settings);
const client = await addMailClient(settings, 'bench', '--services', 'email');
const port = Number(new URL(posthouse.url).port);

/** Returns e-mails per second between the first and the last arrival. */
async function rateOf(send: () => Promise<unknown>): Promise<number> {
  await sink.reset();
  await send();
  for (;;) {
    const { arrived, seconds } = await sink.arrivals();
    if (arrived >= MAILS) return (arrived - 1) / seconds;
    await Bun.sleep(50);
  }
}

function body(sendAt: string): Uint8Array {
  const text = JSON.stringify({
    ...client,
    To: 'ada@example.org',
    Subject: 'Mail',
    HtmlTemplate: `<p>Dear reader,</p><p>this is a mail.</p>${'<p>Some more of it.</p>'.repeat(40)}`,
    Body: `Dear reader, this is a mail. ${'Some more of it. '.repeat(40)}`,
    SendAt: sendAt,
  });
  return new TextEncoder().encode(text);
}

/** Stores e-mails that are due in `leadMs`. */
async function store(leadMs: number, requests = MAILS): Promise<Run> {
  const bytes = body(new Date(Date.now() + leadMs).toISOString());
  const head = () =>
    headOf('POST /requestemail', { 'Content-Type': 'application/json', 'Content-Length': bytes.length });
  const load = { port, connections: 32, requests, head, body: bytes, expect: 202 };
  const { requestsPerSecond, times } = await run(load);
  return { speed: requestsPerSecond, work: requests, times };
}

/** Twice the time needed to store all e-mails, so that none is due earlier. */
const leadMs = ((2 * MAILS) / (await store(3_600_000, 500)).speed) * 1000 + 2_000;

/** The baseline: the mail library composes the e-mails while it sends them. */
async function runPool(): Promise<Run> {
  const words = [sink.port, MAILS, CONNECTIONS].map(String);
  const pool = Bun.spawn([process.execPath, join(import.meta.dir, 'lib/bare-pool.ts'), ...words], {
    stdout: 'inherit',
    stderr: 'inherit',
  });
  const speed = await rateOf(() => pool.exited);
  const usage = pool.resourceUsage();
  const cpu = Number(usage?.cpuTime.total ?? 0) / 1e6;
  return { speed, work: MAILS, process: { cpu, memory: usage?.maxRSS ?? 0 } };
}

async function measure(meanwhile: string): Promise<Compared[]> {
  const pair = { pairs: PAIRS, unit: 'mails/s', workUnit: 'mail' };
  const ours = { name: 'Posthouse', pids: [posthouse.pid] };
  const theirs = { name: 'a bare nodemailer pool', pids: [] };
  const mails = `${MAILS.toLocaleString('en-US')} mails`;
  const delivered = await compare({
    ...pair,
    name: `${mails} accepted before, delivered${meanwhile}`,
    workUnit: 'mail, accepted and delivered',
    targets: [0.8],
    ours: { ...ours, run: async () => ({ speed: await rateOf(() => store(leadMs)), work: MAILS }) },
    theirs: { ...theirs, run: runPool },
  });
  const accepted = await compare({
    ...pair,
    name: `${mails} accepted and composed, due later${meanwhile}`,
    targets: [2],
    ours: { ...ours, run: () => store(3_600_000) },
    theirs: { ...theirs, run: runPool },
  });
  return [delivered, accepted];
}

try {
  const idle = await measure('');
  fillBacklog(settings.POSTHOUSE_DATA_DIR, 'email', BACKLOG);
  const busy = await measure(` while at least ${BACKLOG.toLocaleString('en-US')} others wait`);
  if (write) insertTables('mail', pairsTable([...idle, ...busy]));
  finish('mail');
} finally {
  await posthouse.stop();
  sink.stop();
  rmSync(directory, { recursive: true, force: true });
}
