import { AggregatorRegistry } from 'prom-client';
import type { MetricsSnapshot } from '../kernel/metrics/metrics.ts';

/** Adds up the metrics of several processes. */
export interface CombinedMetrics {
  /** Replaces the metrics of a process. */
  set(slot: number, snapshot: MetricsSnapshot): void;
  /** Keeps the counts of a process that has ended, without which the sums would decrease. */
  end(slot: number): void;
  /** Returns the sums in the Prometheus text format. */
  render(): Promise<string>;
}

const COUNTS = ['counter', 'histogram'];

export function createCombinedMetrics(): CombinedMetrics {
  const latest = new Map<number, MetricsSnapshot>();
  let ended: MetricsSnapshot = [];
  // A copy, since the library returns objects with functions.
  const sum = async (snapshots: MetricsSnapshot[]) =>
    JSON.parse(JSON.stringify(await AggregatorRegistry.aggregate(snapshots).getMetricsAsJSON()));
  let ending = Promise.resolve();
  return {
    set: (slot, snapshot) => void latest.set(slot, snapshot),
    end(slot) {
      const counts = latest.get(slot)?.filter(({ type }) => COUNTS.includes(String(type))) ?? [];
      latest.delete(slot);
      ending = ending.then(async () => {
        ended = await sum([ended, counts]);
      });
    },
    async render() {
      await ending;
      return await AggregatorRegistry.aggregate([...latest.values(), ended]).metrics();
    },
  };
}
