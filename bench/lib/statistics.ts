/** The median, the least and the greatest value. */
export type Spread = [middle: number, least: number, most: number];

export function spread(values: readonly number[]): Spread {
  return [median(values), Math.min(...values), Math.max(...values)];
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** Returns the value that a share of all values are below, 0 if there are none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** The 50th, 99th and 99.9th percentile. */
export type Percentiles = [p50: number, p99: number, p999: number];

export function percentiles(values: readonly number[]): Percentiles {
  return [percentile(values, 0.5), percentile(values, 0.99), percentile(values, 0.999)];
}
