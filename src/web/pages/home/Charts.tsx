import { KINDS, type Statistics } from '../../api/messages.ts';
import { formatHour, HOUR } from '../../formats.ts';
import { texts as common } from '../../texts.ts';
import { BarChart } from './BarChart.tsx';

const HOURS = 48;
const COLORS: Record<string, string> = {
  email: 'var(--mantine-primary-color-filled)',
  chat: 'var(--teal)',
  telegram: 'var(--violet)',
  'chat-edit': 'var(--ochre)',
};

/** Messages per hour: accepted by kind, and failed. */
export function Charts({ hours }: { hours: Statistics['hours'] }) {
  const kinds = [...new Set(hours.map(({ kind }) => kind))].sort();
  const last = Math.floor(Date.now() / HOUR);
  const byHour = Map.groupBy(hours, ({ hour }) => Math.floor(new Date(hour).getTime() / HOUR));
  const rows = Array.from({ length: HOURS }, (_, index) => {
    const hour = last - HOURS + 1 + index;
    return { label: formatHour(hour * HOUR), counts: byHour.get(hour) ?? [] };
  });
  const accepted = kinds.map((kind) => ({
    name: KINDS[kind] ?? kind,
    color: COLORS[kind] ?? 'var(--mantine-color-dimmed)',
    values: rows.map(({ counts }) => counts.find((row) => row.kind === kind)?.accepted ?? 0),
  }));
  const failed = {
    name: common.failed,
    color: 'var(--bad)',
    values: rows.map(({ counts }) => counts.reduce((sum, row) => sum + row.failed, 0)),
  };
  const labels = rows.map(({ label }) => label);
  return (
    <>
      <BarChart title={common.accepted} series={accepted} labels={labels} height={170} />
      <BarChart title={common.failed} series={[failed]} labels={labels} height={70} />
    </>
  );
}
