import { type Compared, count, digits, type Figures, short, timeOf } from './pairs.ts';

/** Returns comparisons as a Markdown table. */
export function pairsTable(all: readonly Compared[]): string {
  return markdown(
    COLUMNS.map(({ head }) => head),
    all.map((one) => COLUMNS.map(({ cell }) => cell(one))),
  );
}

/** Returns a Markdown table. */
export function markdown(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

interface Column {
  head: string;
  cell(compared: Compared): string;
}

const COLUMNS: readonly Column[] = [
  { head: 'Measurement', cell: ({ name }) => name },
  { head: 'Posthouse', cell: ({ ours, unit }) => `${short(ours.speed[0])} ${unit}` },
  {
    head: 'Baseline',
    cell: ({ theirs, baseline, unit }) => `${short(theirs.speed[0])} ${unit}, ${baseline}`,
  },
  {
    head: 'Ratio (spread)',
    cell: ({ ratio: [middle, least, most] }) =>
      `${middle.toFixed(2)} (${least.toFixed(2)} to ${most.toFixed(2)})`,
  },
  { head: 'Target', cell: ({ targets }) => targets.join(', ') },
  {
    head: 'p50, p99, p99.9 (ms)',
    cell: (compared) => both(compared, ({ times }) => (times ? times.ms.map(digits).join(' ') : '')),
  },
  {
    head: 'CPU time',
    cell: (compared) => `${both(compared, ({ cpu }) => timeOf(cpu[0]))} per ${compared.workUnit}`,
  },
  {
    head: 'Peak memory',
    cell: (compared) => both(compared, ({ memory }) => `${count(Math.round(memory / 1e6))} MB`),
  },
];

function both({ ours, theirs }: Compared, text: (figures: Figures) => string): string {
  return [text(ours), text(theirs)].filter(Boolean).join(' / ');
}
