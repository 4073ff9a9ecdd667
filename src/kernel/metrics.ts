import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Creates metrics in a registry of one server, since tests run several servers in one process. */
export interface Metrics {
  counter<Label extends string>(name: string, help: string, labels?: readonly Label[]): Counter<Label>;
  /** @param collect called on each scrape */
  gauge<Label extends string>(
    name: string,
    help: string,
    labels?: readonly Label[],
    collect?: (gauge: Gauge<Label>) => void | Promise<void>,
  ): Gauge<Label>;
  /** @param buckets upper bounds, in the unit of the name */
  histogram<Label extends string>(
    name: string,
    help: string,
    labels: readonly Label[],
    buckets: readonly number[],
  ): Histogram<Label>;
  /** Returns all metrics in the Prometheus text format 0.0.4. */
  render(): Promise<{ contentType: string; text: string }>;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return {
    counter: (name, help, labels = []) =>
      new Counter({ name, help, labelNames: labels, registers: [registry] }),
    gauge(name, help, labels = [], collect = undefined) {
      return new Gauge({
        name,
        help,
        labelNames: labels,
        registers: [registry],
        collect:
          collect &&
          function (this: Gauge<(typeof labels)[number]>) {
            return collect(this);
          },
      });
    },
    histogram: (name, help, labels, buckets) =>
      new Histogram({ name, help, labelNames: labels, buckets: [...buckets], registers: [registry] }),
    render: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  };
}
