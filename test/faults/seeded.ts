/** Random numbers that are reproducible by their seed. */
export interface Seeded {
  /** Returns a number in [0, 1). */
  next(): number;
  /** Returns an integer from `from` to `to`, inclusive. */
  between(from: number, to: number): number;
  chance(probability: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  bytes(count: number): Buffer<ArrayBuffer>;
  /** Returns a stream that depends only on this seed and `name`, so that workers are independent. */
  fork(name: string): Seeded;
}

/** splitmix32: https://doi.org/10.1145/2660193.2660195 cut down to 32 bits. */
export function createSeeded(seed: number): Seeded {
  let state = seed >>> 0;
  const word = (): number => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return (mixed ^ (mixed >>> 15)) >>> 0;
  };
  const next = () => word() / 2 ** 32;
  const between = (from: number, to: number) => from + Math.floor(next() * (to - from + 1));
  return {
    next,
    between,
    chance: (probability) => next() < probability,
    pick<Item>(items: readonly Item[]): Item {
      const item = items[between(0, items.length - 1)];
      if (item === undefined) throw new Error('there is nothing to pick from');
      return item;
    },
    bytes(count) {
      const words = new Uint32Array(Math.ceil(count / 4));
      for (let index = 0; index < words.length; index++) words[index] = word();
      return Buffer.from(words.buffer, 0, count);
    },
    fork: (name) => createSeeded(Number(Bun.hash.crc32(`${seed} ${name}`))),
  };
}
