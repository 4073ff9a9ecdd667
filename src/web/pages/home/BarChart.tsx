import { formatNumber } from '../../formats.ts';

interface Series {
  name: string;
  /** CSS color. */
  color: string;
  /** One value per label. */
  values: readonly number[];
}

interface BarChartProps {
  title: string;
  series: readonly Series[];
  labels: readonly string[];
  /** Height of the bars in pixels. */
  height: number;
}

/** Maximum number of axis labels. Each bar has its own label as a tooltip. */
const MAX_LABELS = 6;

/** A bar chart with stacked series. */
export function BarChart({ title, series, labels, height }: BarChartProps) {
  const sums = labels.map((_, index) => series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0));
  const max = niceCeiling(Math.max(1, ...sums));
  const total = sums.reduce((sum, value) => sum + value, 0);
  const every = Math.ceil(labels.length / MAX_LABELS);
  return (
    <figure className="chart" aria-label={`${title}: ${formatNumber(total)}`}>
      <figcaption className="chart-head">
        <span>{title}</span>
        {series.length > 1 && (
          <span className="chart-legend">
            {series.map(({ name, color }) => (
              <span key={name}>
                <i style={{ background: color }} /> {name}
              </span>
            ))}
          </span>
        )}
      </figcaption>
      <div className="chart-plot" style={{ height }} aria-hidden>
        <span className="chart-max">{formatNumber(max)}</span>
        {labels.map((label, index) => (
          <div key={label} className="chart-bar" title={tooltip(label, series, index)}>
            {series.map(({ name, color, values }) => (
              <i key={name} style={{ height: `${((values[index] ?? 0) / max) * 100}%`, background: color }} />
            ))}
          </div>
        ))}
      </div>
      <div className="chart-labels" aria-hidden>
        {labels
          .filter((_, index) => index % every === 0)
          .map((label) => (
            <span key={label}>{label}</span>
          ))}
      </div>
    </figure>
  );
}

function tooltip(label: string, series: readonly Series[], index: number): string {
  const counts = series
    .filter(({ values }) => (values[index] ?? 0) > 0)
    .map(({ name, values }) => `${name}: ${formatNumber(values[index] ?? 0)}`);
  return [label, ...(counts.length > 0 ? counts : ['0'])].join('\n');
}

/** Rounds up to 1, 2, 4, 5 or 10 times a power of ten. */
function niceCeiling(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 4, 5, 10].find((step) => step * power >= value) ?? 10) * power;
}
