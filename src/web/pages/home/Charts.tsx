import { BarChart } from '@mantine/charts';
import { Text } from '@mantine/core';
import type { Statistics } from '../../api/messages.ts';
import { homeTexts as texts } from '../../texts/home.ts';

const HOUR = 3_600_000;
const HOURS = 48;
const COLOURS: Record<string, string> = {
  email: 'var(--mantine-primary-color-filled)',
  chat: 'teal.6',
  telegram: 'grape.5',
  'chat-edit': 'gray.5',
};

const time = new Intl.DateTimeFormat(undefined, { weekday: 'short', hour: '2-digit', minute: '2-digit' });

/** Messages by the hour: accepted ones by kind, and failures. */
export function Charts({ hours }: { hours: Statistics['hours'] }) {
  const kinds = [...new Set(hours.map(({ kind }) => kind))].sort();
  const last = Math.floor(Date.now() / HOUR);
  const byHour = Map.groupBy(hours, ({ hour }) => Math.floor(new Date(hour).getTime() / HOUR));
  const data = Array.from({ length: HOURS }, (_, index) => {
    const hour = last - HOURS + 1 + index;
    const rows = byHour.get(hour) ?? [];
    return {
      hour: time.format(new Date(hour * HOUR)),
      failed: rows.reduce((sum, row) => sum + row.failed, 0),
      ...Object.fromEntries(kinds.map((kind) => [kind, rows.find((row) => row.kind === kind)?.accepted ?? 0])),
    };
  });
  const accepted = hours.reduce((sum, row) => sum + row.accepted, 0);
  const failed = hours.reduce((sum, row) => sum + row.failed, 0);
  return (
    <>
      <figure className="chart" aria-label={`${texts.accepted}: ${accepted}`}>
        <BarChart
          h={190}
          data={data}
          dataKey="hour"
          type="stacked"
          withLegend={kinds.length > 1}
          legendProps={{ verticalAlign: 'top', height: 32 }}
          series={kinds.map((name) => ({ name, label: texts.kinds[name] ?? name, color: COLOURS[name] ?? 'gray.6' }))}
          yAxisProps={{ allowDecimals: false, width: 40 }}
          barChartProps={{ accessibilityLayer: false }}
          barProps={{ isAnimationActive: false }}
        />
      </figure>
      <Text size="sm" c="dimmed" mt="md" mb={4}>
        {texts.failures}
      </Text>
      <figure className="chart" aria-label={`${texts.failures}: ${failed}`}>
        <BarChart
          h={90}
          data={data}
          dataKey="hour"
          series={[{ name: 'failed', label: texts.failures, color: 'red.6' }]}
          yAxisProps={{ allowDecimals: false, width: 40, tickCount: 2 }}
          barChartProps={{ accessibilityLayer: false }}
          barProps={{ isAnimationActive: false }}
        />
      </figure>
    </>
  );
}
