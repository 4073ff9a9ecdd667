/** Owner of the program's own items. It has every second turn, since its work serves all others. */
export const PROGRAM = '';

/** Waiting items of several owners. Owners take turns, and the items of one owner keep their order. */
export interface RoundRobin<Item> {
  readonly size: number;
  sizeOf(owner: string): number;
  add(owner: string, item: Item): void;
  /** Removes an item, if it is still waiting. */
  remove(owner: string, item: Item): void;
  /**
   * Removes and returns the first item of the next owner; undefined = there is none.
   * @param mayTake reports whether it may be the turn of an owner; the others keep their places
   */
  take(mayTake?: (owner: string) => boolean): Item | undefined;
}

/** Creates an empty list. Items must be distinct. */
export function createRoundRobin<Item>(): RoundRobin<Item> {
  /** In the order of the owners' turns. An owner without items is removed. */
  const queues = new Map<string, Set<Item>>();
  let size = 0;
  let last: string | undefined;

  /** Returns the owner whose turn it is, with its items; undefined = there is none. */
  function next(mayTake: (owner: string) => boolean): [string, Set<Item>] | undefined {
    const own = queues.get(PROGRAM);
    const isPossible = own !== undefined && mayTake(PROGRAM);
    if (isPossible && last !== PROGRAM) return [PROGRAM, own];
    for (const entry of queues) if (entry[0] !== PROGRAM && mayTake(entry[0])) return entry;
    return isPossible ? [PROGRAM, own] : undefined;
  }

  function remove(owner: string, item: Item): void {
    const queue = queues.get(owner);
    if (!queue?.delete(item)) return;
    size--;
    if (queue.size === 0) queues.delete(owner);
  }

  return {
    get size() {
      return size;
    },
    sizeOf: (owner) => queues.get(owner)?.size ?? 0,
    add(owner, item) {
      const queue = queues.get(owner);
      if (queue) queue.add(item);
      else queues.set(owner, new Set([item]));
      size++;
    },
    remove,
    take(mayTake = () => true) {
      const [owner, queue] = next(mayTake) ?? [];
      const [item] = queue ?? [];
      if (owner === undefined || !queue || item === undefined) return undefined;
      last = owner;
      remove(owner, item);
      // To the end of the order.
      if (queues.delete(owner)) queues.set(owner, queue);
      return item;
    },
  };
}
