import { cpuSeconds } from './cpu.ts';
import { print, record } from './report.ts';

/** The two sides of a comparison; each returns a speed (higher is better). */
export interface Pair {
  name: string;
  /** Number of pairs that count. */
  pairs: number;
  /** Unit of both speeds. */
  unit: string;
  /** Target of the ratio. */
  target: number;
  /** Description of the other side. */
  baseline: string;
  /** The processes of both sides, and the work of a run, for which the CPU time is printed. */
  cpu?: { ours: number; theirs: number; unit: string; perRun: number };
  ours(): Promise<number>;
  theirs(): Promise<number>;
}

/**
 * Runs both sides alternately, after one round that does not count, and prints the median and the spread of the ratio
 * of each pair's speeds. Pairs are compared because the speed of a shared machine varies.
 */
export async function compare({
  name,
  pairs,
  unit,
  target,
  baseline,
  cpu,
  ours,
  theirs,
}: Pair): Promise<void> {
  const ratios: number[] = [];
  const cpuTimes: [ours: number, theirs: number][] = [];
  const mine: number[] = [];
  const other: number[] = [];
  for (let round = 0; round <= pairs; round++) {
    const before = cpu && [cpuSeconds(cpu.ours), cpuSeconds(cpu.theirs)];
    const a = await ours();
    const b = await theirs();
    if (round === 0) continue;
    if (cpu && before)
      cpuTimes.push([
        (cpuSeconds(cpu.ours) - (before[0] ?? 0)) / cpu.perRun,
        (cpuSeconds(cpu.theirs) - (before[1] ?? 0)) / cpu.perRun,
      ]);
    mine.push(a);
    other.push(b);
    ratios.push(a / b);
  }
  const ratio = median(ratios);
  const verdict = ratio >= target ? 'reached' : `short by ${((1 - ratio / target) * 100).toFixed(0)} %`;
  record(name, { unit, target, ratio: spread(ratios), ours: spread(mine), theirs: spread(other), cpuTimes });
  print(name);
  print(`  ours ${speed(median(mine))} ${unit}, ${baseline} ${speed(median(other))} ${unit}`);
  if (cpu)
    print(
      `  CPU time per ${cpu.unit}: ours ${median(cpuTimes.map(([mine]) => mine)).toFixed(2)} s, ` +
        `${baseline} ${median(cpuTimes.map(([, other]) => other)).toFixed(2)} s`,
    );
  print(
    `  ratio ${ratio.toFixed(2)} (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}), target ${target}: ${verdict}`,
  );
}

/** The median, the least and the greatest value. */
export type Spread = [middle: number, least: number, most: number];

export function spread(values: readonly number[]): Spread {
  return [median(values), Math.min(...values), Math.max(...values)];
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

function speed(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en-US') : value.toFixed(2);
}
