import type { Histogram, Registry } from 'prom-client';

/** The values of one combination of labels. */
export interface Series {
  observe(value: number): void;
}

interface HistogramOptions {
  name: string;
  help: string;
  /** Upper bounds. */
  buckets: readonly number[];
}

/**
 * Adds a histogram to a registry. Callers keep their series: prom-client's own histogram looks the series up by its
 * labels for each value, which takes a tenth of the time of a small request.
 * @returns function that adds a series
 */
export function addHistogram(
  registry: Registry,
  { name, help, buckets }: HistogramOptions,
): (labels: Readonly<Record<string, string | number>>) => Series {
  const all: (() => object[])[] = [];
  const bounds = [...buckets, Number.POSITIVE_INFINITY];
  const metric = { name, help, type: 'histogram', aggregator: 'sum' };
  const get = async () => ({ ...metric, values: all.flatMap((values) => values()) });
  // A registry uses no other properties.
  registry.registerMetric({ ...metric, get } as unknown as Histogram);
  return (labels) => {
    const counts = bounds.map(() => 0);
    let sum = 0;
    all.push(() => {
      let count = 0;
      const inBuckets = bounds.map((bound, index) => {
        count += counts[index] ?? 0;
        const le = bound === Number.POSITIVE_INFINITY ? '+Inf' : bound;
        return { labels: { le, ...labels }, value: count, metricName: `${name}_bucket` };
      });
      return [
        ...inBuckets,
        { labels, value: sum, metricName: `${name}_sum` },
        { labels, value: count, metricName: `${name}_count` },
      ];
    });
    return {
      observe(value) {
        let index = 0;
        while (value > (bounds[index] ?? value)) index++;
        counts[index] = (counts[index] ?? 0) + 1;
        sum += value;
      },
    };
  };
}
