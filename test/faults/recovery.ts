import { findProgram } from '../harness/programs.ts';
import { startWorld, type World } from './kinds.ts';
import {
  checkAll,
  countDuplicates,
  newTallies,
  RESUMES_WITHIN_MS,
  sendAll,
  untilDelivered,
} from './messages.ts';
import { observe } from './observed.ts';
import { MISSING, OUTAGES, type Outage } from './outages.ts';
import { type PooledEngines, startPooledEngines } from './pooled-engines.ts';
import type { Extent, Report } from './report.ts';
import { type OpenScene, openScene } from './scene.ts';
import type { Seeded } from './seeded.ts';
import { check, removeFiles } from './storage.ts';
import { startUploads } from './uploads.ts';

const COLUMNS = 'acknowledged,refused,slowest,recovered,delivered,lost,unknown,duplicated,files'.split(',');
const PAUSE_MS = 100;
/** Time before each outage, in which everything works. */
const CALM_MS = 2_000;
/** The contract: a response within 10 s, here with a margin for a busy machine, and recovery within 10 s. */
const ANSWER_MS = 11_000;
const RECOVERY_MS = 10_000;
/** Time after which a server that did not recover is given up. */
const PATIENCE_MS = 60_000;
/**
 * Maximum numbers of repeated messages: those under way to peers that do not recognize a repetition. A node that is
 * killed may have 50 e-mails and 30 Telegram messages under way (docs/mail.md); the others repeat few of them.
 */
const MAX_DUPLICATED = { killed: 80, other: 10 };
/** Maximum number per node of messages that a peer that recognizes no repetition has accepted without a response. */
const MAX_UNKNOWN = 30;

/**
 * Makes each external system fail while files and messages are sent. The nodes must refuse in time what they cannot do,
 * recover soon afterwards, and lose nothing that they have acknowledged. Prints a row for each outage.
 */
export async function outagesPass(
  settings: Record<string, string>,
  random: Seeded,
  extent: Extent,
  report: Report,
): Promise<void> {
  await outagesOf(settings, null, { random, extent, report });
}

/**
 * Does the same behind PgBouncer, with a PostgreSQL server that restarts: with a direct address for LISTEN, and
 * without.
 */
export async function pooledPass(
  settings: Record<string, string>,
  random: Seeded,
  extent: Extent,
  report: Report,
): Promise<void> {
  if (!settings.POSTHOUSE_DATABASE_URL) return report.line('skipped: SQLite is in the process');
  if (findProgram('pgbouncer') === null) return report.line('skipped: PgBouncer is not installed');
  await using engines = await startPooledEngines();
  for (const listens of [true, false]) {
    report.line(listens ? 'with a direct address for LISTEN' : 'without an address for LISTEN');
    await outagesOf({ ...settings, ...(await engines.newSettings(listens)) }, engines, {
      random,
      extent,
      report,
    });
  }
}

async function outagesOf(
  settings: Record<string, string>,
  pooled: PooledEngines | null,
  run: Omit<Run, 'world'>,
): Promise<void> {
  const world = await startWorld();
  let open: OpenScene | null = null;
  try {
    open = await openScene({ ...world.settings, ...settings }, pooled);
    await passAll(open, { world, ...run });
  } finally {
    await open?.stop();
    await world.stop();
  }
}

interface Run {
  world: World;
  random: Seeded;
  extent: Extent;
  report: Report;
}

async function passAll(open: OpenScene, { world, random, extent, report }: Run): Promise<void> {
  const { scene, settings, headers, ledger } = open;
  const observed = observe(scene.nodes.url, report);
  const { request } = observed;
  const tallies = newTallies(await world.kinds(settings));
  let isOver = false;
  const sending = sendAll(tallies, {
    server: { request },
    random,
    shouldContinue: () => !isOver,
    refusals: [503, 507],
  });
  // Reported after the last outage.
  for (const sent of sending) sent.catch(() => {});
  let duplicatedBefore = 0;

  function expectTime(ms: number, limitMs: number, what: string): void {
    if (ms <= limitMs) return;
    const text = `${what} after ${seconds(ms)}`;
    if (extent.isTimed) report.expect(false, text);
    else report.line(text);
  }

  async function pass(outage: Outage): Promise<void> {
    const endUploads = startUploads({
      request,
      headers,
      ledger,
      random: random.fork(`uploads ${outage.name}`),
    });
    await Bun.sleep(CALM_MS);
    observed.begin(outage);
    const end = await outage.begin(scene);
    if (!end) throw new Error(`${outage.name}: there is nothing to fail`);
    const holdMs = Math.min(extent.holdMs, outage.limitMs ?? extent.holdMs);
    await Bun.sleep(holdMs);
    await end();
    const healedAt = Date.now();
    const recoveredMs = await untilRecovered(open, request);
    const counts = observed.end();
    await endUploads();
    const { lost, unknown, tookMs } = await untilDelivered(tallies, { request }, healedAt);
    const duplicated = countDuplicates(tallies) - duplicatedBefore;
    duplicatedBefore += duplicated;
    const failures = report.failures().length;
    const quiet = { ...report, line: () => {} };
    const files = { server: { request }, headers, ledger, report: quiet };
    await check(files, settings);
    await removeFiles(files, scene.largeFile);
    const verdict = report.failures().length === failures ? 'right' : 'WRONG';
    const { acknowledged, refused, slowestMs, slowestPath } = counts;
    const recovered = recoveredMs === null ? 'never' : seconds(recoveredMs);
    const cells = [
      acknowledged,
      refused,
      seconds(slowestMs),
      recovered,
      seconds(tookMs),
      lost.length,
      unknown,
      duplicated,
      verdict,
    ];
    report.line(row(outage.name, ...cells.map(String)));
    const { name } = outage;
    report.expect(recoveredMs !== null, `${name}: never recovered`);
    expectTime(recoveredMs ?? 0, RECOVERY_MS, `${name}: recovered`);
    expectTime(slowestMs, ANSWER_MS, `${name}: response to ${slowestPath}`);
    // A peer that fails is tried again after pauses that double, so the last one is about as long as the outage.
    expectTime(tookMs, RESUMES_WITHIN_MS + holdMs, `${name}: the last message arrived`);
    report.expect(lost.length === 0, `${name}: lost ${lost.slice(0, 10).join(', ')}`);
    report.expect(
      unknown <= MAX_UNKNOWN * scene.nodes.count,
      `${name}: the outcome of ${unknown} messages is unknown`,
    );
    const maxDuplicated = outage.cuts ? MAX_DUPLICATED.killed : MAX_DUPLICATED.other;
    report.expect(duplicated <= maxDuplicated, `${name}: ${duplicated} messages are duplicated`);
  }

  const named = OUTAGES.filter(({ name }) => name.includes(extent.outage));
  // The others are the same without a pooler.
  const possible = named.filter(({ needs }) => (scene.pooled ? needs === 'pooled' : !needs || scene[needs]));
  if (!scene.pooled)
    for (const [part, reason] of Object.entries(MISSING))
      if (!scene[part as keyof typeof MISSING]) report.line(`outages of “${part}” are skipped: ${reason}`);
  report.line(row('outage', ...COLUMNS));
  const latest = performance.now() + extent.withinMs;
  let rounds = 0;
  try {
    for (; rounds < extent.rounds && performance.now() < latest; rounds++)
      for (const outage of possible) await pass(outage);
  } finally {
    report.line(`${rounds} rounds`);
    isOver = true;
    for (const sent of await Promise.allSettled(sending))
      if (sent.status === 'rejected') report.expect(false, String(sent.reason));
  }
  const endedAt = Date.now();
  await checkAll(tallies, { request, readyAt: () => endedAt }, report);
}

/** Returns the time until every node is ready, reads and writes, in ms; null = they never are. */
async function untilRecovered(
  { scene: { nodes }, headers }: OpenScene,
  request: ReturnType<typeof observe>['request'],
): Promise<number | null> {
  const started = performance.now();
  const ready = async (url: string) => (await fetch(`${url}/readyz`).catch(() => null))?.ok ?? false;
  const writes = { method: 'POST', headers: { ...headers, 'Content-Type': 'application/json' } };
  while (performance.now() - started < PATIENCE_MS) {
    const body = JSON.stringify({ name: `folder ${crypto.randomUUID()}` });
    const [areReady, ...answers] = await Promise.all([
      Promise.all(nodes.running().map(({ url }) => ready(url))),
      request('/api/storage/files/root', { headers }),
      request('/api/storage/folders', { ...writes, body }),
    ]);
    const isRecovered =
      areReady.every(Boolean) && answers.every((answer) => answer !== null && answer.status < 300);
    if (isRecovered) return performance.now() - started;
    await Bun.sleep(PAUSE_MS);
  }
  return null;
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

function row(...[name = '', ...cells]: string[]): string {
  return `${name.padEnd(23)}${cells.map((cell) => cell.padStart(13)).join('')}`;
}
