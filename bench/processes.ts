import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProcess } from '../test/harness/start.ts';
import { childrenOf } from './lib/cpu.ts';
import { KINDS, type Kind, prepareClients, runClients, UNLIMITED } from './lib/four-clients.ts';
import { readOptions } from './lib/options.ts';
import { finish, print, record } from './lib/report.ts';
import { residentOf } from './lib/resident.ts';
import { comparePairs, table, type Work } from './lib/samples.ts';
import { median, spread } from './lib/statistics.ts';
import { hasWrk } from './lib/wrk.ts';

/*
 * Compares two server processes (`POSTHOUSE_PROCESSES=2`) with one, on SQLite, while the clients run on the same cores:
 * requests per second and CPU time per request, then four kinds of work at the same time, each compared with the same
 * work alone: `npm run bench -- processes`.
 */

const { pairs: PAIRS, seconds: SECONDS } = readOptions('processes');
const directory = mkdtempSync(join(tmpdir(), 'posthouse-bench-'));

async function start(processes: number) {
  const posthouse = await startProcess({
    ...UNLIMITED,
    POSTHOUSE_DATA_DIR: join(directory, String(processes)),
    POSTHOUSE_LOG_LEVEL: 'warn',
    POSTHOUSE_PROCESSES: String(processes),
  });
  // A single process starts others only for expensive work; several have a supervisor.
  const pids = processes === 1 ? [posthouse.pid] : [posthouse.pid, ...childrenOf(posthouse.pid)];
  const port = Number(new URL(posthouse.url).port);
  const name = processes === 1 ? 'one process' : `${processes} processes`;
  return { name, stop: posthouse.stop, port, pids, works: await prepareClients(posthouse) };
}

type Server = Awaited<ReturnType<typeof start>>;

async function compareRequests(two: Server, one: Server): Promise<void> {
  const plain = { connections: 16, seconds: SECONDS };
  const unknown = `/api/storage/public/media/${'x'.repeat(32)}`;
  const works: Work[] = [
    { ...plain, name: '`GET /Ping`', path: '/Ping', baselinePath: '/Ping' },
    { ...plain, name: 'an unknown token (404)', path: unknown, baselinePath: unknown, areRefused: true },
    { ...plain, name: '64 KB public file', path: two.works.path, baselinePath: one.works.path },
  ];
  const rows = [];
  for (const work of works) rows.push(await comparePairs(work, two, one, PAIRS));
  for (const { name, ...figures } of rows) record(name, figures);
  print(`16 connections, ${two.name} / ${one.name}\n\n${table(rows, { withSpeeds: true })}\n`);
}

/** Prints the share that each kind of work has when all run at once: its requests a second, compared with it alone. */
async function measureShares({ name, pids, works }: Server): Promise<void> {
  const shares: Record<Kind, number[]> = { downloads: [], lists: [], uploads: [], 'chat messages': [] };
  const fairness: number[] = [];
  for (let round = 0; round <= PAIRS; round++) {
    const alone: number[] = [];
    for (const kind of KINDS) alone.push(...(await runClients([works[kind]], SECONDS)));
    const together = await runClients(
      KINDS.map((kind) => works[kind]),
      SECONDS,
    );
    // The first round warms up.
    if (round === 0) continue;
    const ofRound = together.map((rate, index) => rate / (alone[index] ?? 0));
    for (const [index, kind] of KINDS.entries()) shares[kind].push(ofRound[index] ?? 0);
    fairness.push(Math.min(...ofRound) / Math.max(...ofRound));
  }
  print(`${name}, four kinds of work at once, compared with each alone`);
  for (const kind of KINDS) {
    const [middle, least, most] = spread(shares[kind]);
    print(`  ${kind.padEnd(14)} ${percent(middle)} (${percent(least)} to ${percent(most)})`);
  }
  print(`  the least share is ${percent(median(fairness))} of the greatest`);
  const memory = pids.reduce((sum, pid) => sum + (residentOf(pid)?.now() ?? 0), 0);
  print(`  memory of the server processes ${(memory / 1e6).toFixed(0)} MB`);
  record(`${name}, four kinds of work at once`, { shares, leastOfGreatest: spread(fairness), memory });
}

const percent = (share: number) => `${(share * 100).toFixed(0)} %`;

const [one, two] = [await start(1), await start(2)];
try {
  if (hasWrk()) await compareRequests(two, one);
  else print('wrk is not installed (Debian: apt-get install wrk), so only the shares are measured.');
  await measureShares(one);
  await measureShares(two);
  finish('processes');
} finally {
  await one.stop();
  await two.stop();
  rmSync(directory, { recursive: true, force: true });
}
