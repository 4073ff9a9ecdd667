import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProcess } from '../test/harness/start.ts';
import { chart } from './lib/chart.ts';
import { cpuSeconds } from './lib/cpu.ts';
import { insertFigures } from './lib/insert.ts';
import { describe } from './lib/machine.ts';
import { createMix, settingsOf, type Work } from './lib/mix.ts';
import { readOptions } from './lib/options.ts';
import { conditions, finish, print, record } from './lib/report.ts';
import { type Resident, residentOf } from './lib/resident.ts';
import { median } from './lib/statistics.ts';

/*
 * Sends mixed requests to all services at 80 % of the rate that the server can handle, and records errors, times and
 * memory: `npm run bench -- soak --minutes=10`. `--write` puts the picture and the figures into docs/.
 */

const { minutes: MINUTES, share: SHARE, write } = readOptions('soak');
/** Number of requests under way while the limit is measured. */
const CONNECTIONS = 16;
/** Time in which the server compiles code and fills caches. */
const WARM_MS = 10_000;
const LIMIT_MS = 20_000;
const INTERVALS = 60;
/** Maximum number of requests under way. Further ones are not sent and count as errors. */
const MAX_UNDER_WAY = 2_000;
const TARGET_MS = 25;
const DOCS = join(import.meta.dir, '../docs');

/** The figures of one interval of the run. */
interface Interval {
  requests: number;
  /** Times of small requests, ms from when they were due. */
  times: number[];
  memory: number;
  cpu: number;
}

const directory = mkdtempSync(join(tmpdir(), 'posthouse-bench-'));
const posthouse = await startProcess(settingsOf(directory));
const resident = residentOf(posthouse.pid);
const errors: string[] = [];
try {
  const mix = await createMix(posthouse);
  const pick = createPick(mix);
  const send = (work: Work) => work.send().catch((error: Error) => void errors.push(error.message));
  await limitOf(pick, send, WARM_MS);
  const limit = await limitOf(pick, send, LIMIT_MS);
  print(
    `limit ${Math.round(limit)} requests/s of ${mix.map(({ name, share }) => `${name} ${share} %`).join(', ')}`,
  );
  if (errors.length > 0) throw new Error(`requests failed: ${errors[0]}`);
  if (resident) report(await soak(pick, send, limit * SHARE, resident), limit);
  finish('soak');
} finally {
  await posthouse.stop();
  rmSync(directory, { recursive: true, force: true });
}

/** Returns a function that returns the kinds of work alternately, in proportion to their shares. */
function createPick(mix: readonly Work[]): () => Work {
  const deck = mix.flatMap((work) => Array.from({ length: work.share }, () => work));
  // A fixed order without bursts of one kind: 37 and the 100 entries of the deck have no common divisor.
  let at = 0;
  return () => {
    at = (at + 37) % deck.length;
    return deck[at] as Work;
  };
}

type Send = (work: Work) => Promise<unknown>;

/** Returns the requests a second that the server handles when `CONNECTIONS` of them are always under way. */
async function limitOf(pick: () => Work, send: Send, ms: number): Promise<number> {
  const started = performance.now();
  let count = 0;
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      for (; performance.now() - started < ms; count++) await send(pick());
    }),
  );
  return (count * 1_000) / (performance.now() - started);
}

/** Sends requests at a fixed rate, even while earlier ones are unanswered. */
async function soak(pick: () => Work, send: Send, rate: number, memory: Resident): Promise<Interval[]> {
  const intervalMs = (MINUTES * 60_000) / INTERVALS;
  const intervals: Interval[] = [];
  const started = performance.now();
  let sent = 0;
  let underWay = 0;
  for (let index = 0; index < INTERVALS; index++) {
    const interval: Interval = { requests: 0, times: [], memory: 0, cpu: 0 };
    intervals.push(interval);
    const before = cpuSeconds(posthouse.pid);
    for (const ends = started + (index + 1) * intervalMs; performance.now() < ends; await Bun.sleep(1)) {
      for (; sent < ((performance.now() - started) * rate) / 1_000; sent++) {
        if (underWay >= MAX_UNDER_WAY) {
          errors.push('not sent');
          continue;
        }
        underWay++;
        const work = pick();
        const due = started + (sent * 1_000) / rate;
        void send(work).then(() => {
          underWay--;
          interval.requests++;
          if (work.isSmall) interval.times.push(performance.now() - due);
        });
      }
    }
    interval.cpu = (cpuSeconds(posthouse.pid) - before) / (intervalMs / 1_000);
    interval.memory = memory.now();
  }
  while (underWay > 0) await Bun.sleep(1);
  return intervals;
}

function report(intervals: readonly Interval[], limit: number): void {
  const all = intervals.flatMap(({ times }) => times);
  const memory = intervals.map((interval) => interval.memory / 1e6);
  const figures = {
    minutes: MINUTES,
    limit: Math.round(limit),
    requests: intervals.reduce((sum, { requests }) => sum + requests, 0),
    errors: errors.length,
    p50: percentile(all, 0.5),
    p99: percentile(all, 0.99),
    worstInterval: Math.max(...intervals.map(({ times }) => percentile(times, 0.99))),
    cpu: Math.round(median(intervals.map(({ cpu }) => cpu)) * 100),
    memoryFirstQuarter: Math.round(median(memory.slice(0, INTERVALS / 4))),
    memoryLastQuarter: Math.round(median(memory.slice(-INTERVALS / 4))),
    memoryPeak: Math.round(Math.max(...memory)),
  };
  const text = `${describe(conditions)} ${sentence(figures)}`;
  print(text);
  record('soak', { share: SHARE, ...figures });
  for (const error of new Set(errors.slice(0, 10))) print(`  ${error}`);
  if (!write) return;
  writeFileSync(
    join(DOCS, 'soak.svg'),
    chart(
      [
        {
          title: 'p99 of small requests, ms',
          values: intervals.map(({ times }) => percentile(times, 0.99)),
          limit: TARGET_MS,
        },
        { title: 'memory of the server process, MB', values: memory, limit: null },
        {
          title: 'requests a second',
          values: intervals.map(({ requests }) => (requests * INTERVALS) / (MINUTES * 60)),
          limit: null,
        },
      ],
      MINUTES,
    ),
  );
  insertFigures('soak', `${text}\n\n![Times, memory and speed over the run](soak.svg)`);
}

function sentence(of: Record<string, number>): string {
  return (
    `${of.minutes} minutes at ${SHARE * 100} % of ${of.limit} requests a second: ${of.requests} requests, ${of.errors} errors; ` +
    `small requests p50 ${of.p50} ms, p99 ${of.p99} ms (target ${TARGET_MS}), p99 of the worst ${(MINUTES * 60) / INTERVALS} s ` +
    `${of.worstInterval} ms; ${of.cpu} % of one core; memory ${of.memoryFirstQuarter} MB in the first quarter, ` +
    `${of.memoryLastQuarter} MB in the last, peak ${of.memoryPeak} MB.`
  );
}

function percentile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((one, other) => one - other);
  return Math.round((sorted[Math.floor(sorted.length * share)] ?? 0) * 10) / 10;
}
