/** Sums by key, and the sum of all. A key whose sum returns to 0 takes no memory. */
export interface Tally<Key> {
  readonly total: number;
  /** Returns the sum of a key, 0 for an unknown one. */
  of(key: Key): number;
  /** Adds to the sum of a key, and returns the new one. */
  add(key: Key, change: number): number;
  /** Returns the keys with a sum above 0. */
  keys(): Iterable<Key>;
}

export function createTally<Key>(): Tally<Key> {
  const sums = new Map<Key, number>();
  let total = 0;
  const of = (key: Key) => sums.get(key) ?? 0;
  return {
    get total() {
      return total;
    },
    of,
    add(key, change) {
      total += change;
      const sum = of(key) + change;
      if (sum > 0) sums.set(key, sum);
      else sums.delete(key);
      return sum;
    },
    keys: () => sums.keys(),
  };
}
