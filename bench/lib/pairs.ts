import { totalCpuSeconds } from './cpu.ts';
import { print, record } from './report.ts';
import { residentOf } from './resident.ts';
import { median, percentiles, type Spread, spread } from './statistics.ts';

/** One run of one side. */
export interface Run {
  /** Higher is better. */
  speed: number;
  /** Number of units of work, for the CPU time of each. */
  work: number;
  /** Times of its requests, ms, if they are timed. */
  times?: readonly number[];
  /** The CPU time and the peak memory of a process that existed only for the run. */
  process?: Usage;
}

/** CPU time in seconds, and peak memory in bytes. */
interface Usage {
  cpu: number;
  memory: number;
}

export interface Side {
  name: string;
  /** The processes of the server, whose CPU time and memory are measured. */
  pids: readonly number[];
  run(): Promise<Run>;
}

export interface Pair {
  name: string;
  /** Number of pairs that count. */
  pairs: number;
  /** Unit of both speeds. */
  unit: string;
  /** Targets of the ratio. */
  targets: readonly number[];
  workUnit: string;
  ours: Side;
  theirs: Side;
}

/** The results of a comparison. */
export interface Compared extends Pick<Pair, 'name' | 'unit' | 'targets' | 'workUnit'> {
  /** Of the speeds of each pair. */
  ratio: Spread;
  ours: Figures;
  /** Name of the other side. */
  baseline: string;
  theirs: Figures;
}

type Measured = Run & Usage;

/**
 * Runs both sides alternately, after one round that does not count, and prints the medians of both, and the median and
 * the spread of the ratio of each pair's speeds. Pairs are compared because the speed of a shared machine varies.
 */
export async function compare(pair: Pair): Promise<Compared> {
  const { name, pairs, unit, targets, workUnit, ours, theirs } = pair;
  const mine: Measured[] = [];
  const other: Measured[] = [];
  for (let round = 0; round <= pairs; round++) {
    const a = await measure(ours);
    const b = await measure(theirs);
    if (round === 0) continue;
    mine.push(a);
    other.push(b);
  }
  const ratio = spread(mine.map(({ speed }, index) => speed / (other[index]?.speed ?? 0)));
  const [left, right] = [figuresOf(mine), figuresOf(other)];
  const figures = { unit, targets, workUnit, ratio, ours: left, baseline: theirs.name, theirs: right };
  record(name, figures);
  const both = (text: (figures: Figures) => string) =>
    `${ours.name} ${text(left)}, ${theirs.name} ${text(right)}`;
  print(name);
  print(`  ${both(({ speed }) => `${short(speed[0])} ${unit}`)}`);
  if (left.times)
    print(
      `  p50, p99, p99.9 of ${count(left.times.count)} requests: ${both(({ times }) => (times ? `${times.ms.map(digits).join(' ')} ms` : 'not timed'))}`,
    );
  print(`  CPU time per ${workUnit}: ${both((figures) => timeOf(figures.cpu[0]))}`);
  print(`  peak memory: ${both(({ memory }) => `${(memory / 1e6).toFixed(0)} MB`)}`);
  printRatio(ratio, targets);
  return { name, ...figures };
}

/** Prints the median and the spread of ratios beside their targets. */
function printRatio([ratio, least, most]: Spread, targets: readonly number[]): void {
  const verdicts = targets.map((target) => {
    const missing = ((1 - ratio / target) * 100).toFixed(0);
    return `target ${target}: ${ratio >= target ? 'reached' : `short by ${missing} %`}`;
  });
  print(`  ratio ${ratio.toFixed(2)} (${least.toFixed(2)} to ${most.toFixed(2)}), ${verdicts.join('; ')}`);
}

async function measure({ pids, run }: Side): Promise<Measured> {
  const residents = pids.flatMap((pid) => residentOf(pid) ?? []);
  for (const resident of residents) resident.forgetPeak();
  const before = totalCpuSeconds(pids);
  const result = await run();
  const cpu = totalCpuSeconds(pids) - before;
  const memory = residents.reduce((sum, resident) => sum + resident.peak(), 0);
  return { cpu, memory, ...result.process, ...result };
}

export type Figures = ReturnType<typeof figuresOf>;

function figuresOf(runs: readonly Measured[]) {
  const times = runs.flatMap((run) => run.times ?? []);
  return {
    speed: spread(runs.map(({ speed }) => speed)),
    /** Seconds per unit of work. */
    cpu: spread(runs.map(({ cpu, work }) => cpu / work)),
    memory: median(runs.map(({ memory }) => memory)),
    times: times.length > 0 ? { count: times.length, ms: percentiles(times) } : null,
  };
}

export function timeOf(seconds: number): string {
  if (seconds < 0.001) return `${(seconds * 1e6).toFixed(0)} µs`;
  return seconds < 0.1 ? `${(seconds * 1e3).toFixed(2)} ms` : `${seconds.toFixed(2)} s`;
}

/** Returns a number with at least two digits. */
export function digits(value: number): string {
  return value < 100 ? value.toPrecision(2) : value.toFixed(0);
}

export function count(value: number): string {
  return value.toLocaleString('en-US');
}

export function short(value: number): string {
  return value >= 100 ? count(Math.round(value)) : value.toFixed(2);
}
