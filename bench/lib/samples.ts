import { totalCpuSeconds } from './cpu.ts';
import { digits } from './pairs.ts';
import { markdown } from './pairs-table.ts';
import { median, type Spread, spread } from './statistics.ts';
import { type Answers, type Requests, runWrk } from './wrk.ts';

/** A server that is measured. */
export interface Side {
  port: number;
  /** The processes that respond. */
  pids: readonly number[];
}

/** Requests to both sides. */
export interface Work extends Requests {
  name: string;
  /** The path of the same bytes on the baseline; null = it has none. */
  baselinePath: string | null;
  /** Target of the ratio of the speeds. */
  target?: number;
}

/** One run: its responses, and the CPU seconds of the server for each request and each GB (10⁹ bytes). */
type Sample = Answers & { perSecond: number; cpuPerRequest: number; cpuPerGigabyte: number };

export interface Row {
  name: string;
  target: number | null;
  ours: Sample;
  theirs: Sample | null;
  /** Ratio of the speeds of each pair; null = there is no baseline. */
  ratio: Spread | null;
  /** Ratio of the CPU times of each pair. */
  cpuRatio: Spread | null;
}

/** Runs both sides alternately, after one round that does not count: the speed of a shared machine varies. */
export async function comparePairs(work: Work, ours: Side, theirs: Side | null, pairs: number): Promise<Row> {
  const { name, baselinePath, target = null } = work;
  const mine: Sample[] = [];
  const other: Sample[] = [];
  for (let round = 0; round <= pairs; round++) {
    const a = await sample(ours, work);
    const b = theirs && baselinePath !== null ? await sample(theirs, { ...work, path: baselinePath }) : null;
    if (round === 0) continue;
    mine.push(a);
    if (b) other.push(b);
  }
  const ratiosOf = (key: 'perSecond' | 'cpuPerRequest') =>
    other.length === 0 ? null : spread(other.map((b, index) => (mine[index]?.[key] ?? 0) / b[key]));
  return {
    name,
    target,
    ours: medians(mine),
    theirs: other.length === 0 ? null : medians(other),
    ratio: ratiosOf('perSecond'),
    cpuRatio: ratiosOf('cpuPerRequest'),
  };
}

async function sample({ port, pids }: Side, requests: Requests): Promise<Sample> {
  const before = totalCpuSeconds(pids);
  const answers = await runWrk(port, requests);
  const cpu = totalCpuSeconds(pids) - before;
  return {
    ...answers,
    perSecond: answers.requests / answers.seconds,
    cpuPerRequest: cpu / answers.requests,
    cpuPerGigabyte: (cpu * 1e9) / answers.bytes,
  };
}

function medians(samples: readonly Sample[]): Sample {
  const [first] = samples;
  if (!first) throw new Error('there are no samples');
  const keys = Object.keys(first) as (keyof Sample)[];
  return Object.fromEntries(
    keys.map((key) => [key, median(samples.map((one) => one[key]))]),
  ) as unknown as Sample;
}

/**
 * Returns the rows as a Markdown table: ours / those of the baseline.
 * @param withSpeeds false = CPU times only
 */
export function table(rows: readonly Row[], { withSpeeds }: { withSpeeds: boolean }): string {
  const columns = COLUMNS.filter(({ isSpeed = false }) => withSpeeds || !isSpeed);
  return markdown(
    columns.map(({ head }) => head),
    rows.map((row) => columns.map(({ cell }) => cell(row))),
  );
}

interface Column {
  head: string;
  isSpeed?: true;
  cell(row: Row): string;
}

const COLUMNS: readonly Column[] = [
  { head: 'Work', cell: ({ name }) => name },
  {
    head: 'Requests/s',
    isSpeed: true,
    cell: (row) => both(row, ({ perSecond }) => Math.round(perSecond).toLocaleString('en-US')),
  },
  {
    head: 'Ratio (spread)',
    isSpeed: true,
    cell: ({ ratio, target }) =>
      ratio ? `${range(ratio)}${target === null ? '' : `, target ${target}`}` : '',
  },
  {
    head: 'p50, p99, p99.9 (ms)',
    isSpeed: true,
    cell: (row) => both(row, ({ p50, p99, p999 }) => [p50, p99, p999].map(digits).join(' ')),
  },
  { head: 'CPU time', cell: (row) => both(row, cpuOf) },
  { head: 'Ratio (spread)', cell: ({ cpuRatio }) => (cpuRatio ? range(cpuRatio) : '') },
];

/** Average size in bytes above which the CPU time is given per GB. */
const LARGE_ANSWER = 10e6;

const cpuOf = ({ bytes, requests, cpuPerRequest, cpuPerGigabyte }: Sample) =>
  bytes / requests > LARGE_ANSWER
    ? `${cpuPerGigabyte.toFixed(2)} s per GB`
    : `${(cpuPerRequest * 1e6).toFixed(0)} µs`;

const both = ({ ours, theirs }: Row, text: (sample: Sample) => string) =>
  theirs ? `${text(ours)} / ${text(theirs)}` : text(ours);

const range = ([middle, least, most]: Spread) =>
  `${middle.toFixed(2)} (${least.toFixed(2)} to ${most.toFixed(2)})`;
