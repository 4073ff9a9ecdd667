interface Series {
  name: string;
  /** Any CSS colour. */
  colour: string;
  /** One for each label. */
  values: readonly number[];
}

interface BarChartProps {
  title: string;
  series: readonly Series[];
  labels: readonly string[];
  /** Of the bars, in pixels. */
  height: number;
}

/** So many labels stand below the bars; each bar says its own on hover. */
const LABELS_SHOWN = 6;

/** Bars side by side, each of the series on top of one another. */
export function BarChart({ title, series, labels, height }: BarChartProps) {
  const sums = labels.map((_, place) => series.reduce((sum, { values }) => sum + (values[place] ?? 0), 0));
  const most = niceCeiling(Math.max(1, ...sums));
  const total = sums.reduce((sum, value) => sum + value, 0);
  const every = Math.ceil(labels.length / LABELS_SHOWN);
  return (
    <figure className="chart" aria-label={`${title}: ${total.toLocaleString()}`}>
      <figcaption className="chart-head">
        <span>{title}</span>
        {series.length > 1 && (
          <span className="chart-legend">
            {series.map(({ name, colour }) => (
              <span key={name}>
                <i style={{ background: colour }} /> {name}
              </span>
            ))}
          </span>
        )}
      </figcaption>
      <div className="chart-plot" style={{ height }} aria-hidden>
        <span className="chart-most">{most.toLocaleString()}</span>
        {labels.map((label, place) => (
          <div key={label} className="chart-bar" title={describe(label, series, place)}>
            {series.map(({ name, colour, values }) => (
              <i key={name} style={{ height: `${((values[place] ?? 0) / most) * 100}%`, background: colour }} />
            ))}
          </div>
        ))}
      </div>
      <div className="chart-labels" aria-hidden>
        {labels
          .filter((_, place) => place % every === 0)
          .map((label) => (
            <span key={label}>{label}</span>
          ))}
      </div>
    </figure>
  );
}

function describe(label: string, series: readonly Series[], place: number): string {
  const counts = series
    .filter(({ values }) => (values[place] ?? 0) > 0)
    .map(({ name, values }) => `${name}: ${values[place]?.toLocaleString()}`);
  return [label, ...(counts.length > 0 ? counts : ['0'])].join('\n');
}

/** The next of 1, 2, 4, 5, 10, 20, 40, 50 … that is not below `value`. */
function niceCeiling(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 4, 5, 10].find((step) => step * power >= value) ?? 10) * power;
}
