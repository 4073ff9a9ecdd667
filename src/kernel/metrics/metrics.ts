import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import eventLoopLag from 'prom-client/lib/metrics/eventLoopLag.js';
import gc from 'prom-client/lib/metrics/gc.js';
import heapSizeAndUsed from 'prom-client/lib/metrics/heapSizeAndUsed.js';
import osMemoryHeap from 'prom-client/lib/metrics/osMemoryHeap.js';
import processCpuTotal from 'prom-client/lib/metrics/processCpuTotal.js';
import processHandles from 'prom-client/lib/metrics/processHandles.js';
import processMaxFileDescriptors from 'prom-client/lib/metrics/processMaxFileDescriptors.js';
import processOpenFileDescriptors from 'prom-client/lib/metrics/processOpenFileDescriptors.js';
import processRequests from 'prom-client/lib/metrics/processRequests.js';
import processResources from 'prom-client/lib/metrics/processResources.js';
import processStartTime from 'prom-client/lib/metrics/processStartTime.js';
import version from 'prom-client/lib/metrics/version.js';
import { addHistogram, type Series } from './histogram.ts';

/** Creates metrics in a registry of one server, since tests run several servers in one process. */
export interface Metrics {
  counter<Label extends string>(name: string, help: string, labels?: readonly Label[]): Counter<Label>;
  /**
   * A gauge of a resource that all processes of a server share, such as the database: the value of one process is
   * used.
   * @param collect called on each scrape; when it fails, that scrape has no value of the gauge
   */
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
  /** A histogram of values that are observed often; returns a function that adds a series. */
  series(
    name: string,
    help: string,
    buckets: readonly number[],
  ): (labels: Readonly<Record<string, string | number>>) => Series;
  /** Returns all metrics in the Prometheus text format (`METRICS_TYPE`). */
  render(): Promise<string>;
  /** Returns all metrics as data, to be added to those of other processes. */
  snapshot(): Promise<MetricsSnapshot>;
}

export type MetricsSnapshot = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

/** Version 0.0.4 of the Prometheus text format. */
export const METRICS_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;

/** Gauges with names of counters. Other gauges have the same values with the label `type`. */
const MISNAMED = [
  'nodejs_active_resources_total',
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
];

/**
 * The default metrics of prom-client but those of the heap spaces of V8: Bun collects all garbage to measure them, even
 * when they are only registered.
 */
const PROCESS_METRICS = [
  processCpuTotal,
  processStartTime,
  osMemoryHeap,
  processOpenFileDescriptors,
  processMaxFileDescriptors,
  eventLoopLag,
  processResources,
  processHandles,
  processRequests,
  heapSizeAndUsed,
  version,
  gc,
];

/** Interval of the metrics `nodejs_eventloop_lag_…`. Each check wakes the processor. */
const LAG_CHECK_MS = 100;

export function createMetrics(): Metrics {
  const registry = new Registry();
  for (const add of PROCESS_METRICS) add(registry, { eventLoopMonitoringPrecision: LAG_CHECK_MS });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
  return {
    counter: (name, help, labels = []) =>
      new Counter({ name, help, labelNames: labels, registers: [registry] }),
    gauge(name, help, labels = [], collect = undefined) {
      return new Gauge({
        name,
        help,
        labelNames: labels,
        registers: [registry],
        aggregator: 'first',
        collect:
          collect &&
          async function (this: Gauge<(typeof labels)[number]>) {
            try {
              await collect(this);
            } catch {
              this.reset();
              if (labels.length === 0) this.remove();
            }
          },
      });
    },
    histogram: (name, help, labels, buckets) =>
      new Histogram({ name, help, labelNames: labels, buckets: [...buckets], registers: [registry] }),
    series: (name, help, buckets) => addHistogram(registry, { name, help, buckets }),
    render: () => registry.metrics(),
    snapshot: () => registry.getMetricsAsJSON(),
  };
}
