import { isIPv4 } from 'node:net';

/** A value of a record. */
type Value = string | number | Value[] | { [key: string]: Value };

interface Node {
  children: [Node | number | null, Node | number | null];
}

/**
 * Returns the bytes of a MaxMind database (https://maxmind.github.io/MaxMind-DB/) of disjoint networks.
 * @param networks in CIDR notation, an IPv6 one with all its eight groups
 */
export function mmdb(networks: Readonly<Record<string, Value>>): Buffer {
  const root: Node = { children: [null, null] };
  const data: Buffer[] = [];
  let length = 0;
  for (const [network, value] of Object.entries(networks)) {
    const bits = bitsOf(network);
    const record = encode(value);
    let node = root;
    for (const bit of bits.slice(0, -1)) {
      const next = node.children[bit];
      if (typeof next === 'number') throw new Error(`${network} lies within another`);
      const inner: Node = next ?? { children: [null, null] };
      node.children[bit] = inner;
      node = inner;
    }
    node.children[bits.at(-1) ?? 0] = length;
    data.push(record);
    length += record.length;
  }
  const { tree, count } = flatten(root);
  const metadata = {
    node_count: count,
    record_size: 32,
    ip_version: 6,
    database_type: 'Test',
    languages: ['en'],
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 0,
    description: { en: 'Made by a test' },
  };
  return Buffer.concat([
    tree,
    Buffer.alloc(16),
    ...data,
    Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1'),
    encode(metadata),
  ]);
}

/** Returns the bits of a network's prefix; IPv4 is in ::/96. */
function bitsOf(network: string): (0 | 1)[] {
  const [address = '', length = ''] = network.split('/');
  const groups = isIPv4(address)
    ? address.split('.').map((part) => Number(part).toString(2).padStart(8, '0'))
    : address.split(':').map((part) => Number.parseInt(part, 16).toString(2).padStart(16, '0'));
  const prefix = isIPv4(address) ? '0'.repeat(96) : '';
  return [...`${prefix}${groups.join('').slice(0, Number(length))}`].map((bit) => (bit === '1' ? 1 : 0));
}

/** The search tree with two records of 32 bits a node: another node, nothing, or a place in the data. */
function flatten(root: Node): { tree: Buffer; count: number } {
  const nodes: Node[] = [root];
  for (const { children } of nodes)
    for (const child of children) if (child !== null && typeof child === 'object') nodes.push(child);
  const index = new Map(nodes.map((node, place) => [node, place]));
  const tree = Buffer.alloc(nodes.length * 8);
  for (const [place, { children }] of nodes.entries()) {
    for (const [side, child] of children.entries()) {
      const record =
        child === null
          ? nodes.length
          : typeof child === 'number'
            ? nodes.length + 16 + child
            : (index.get(child) ?? 0);
      tree.writeUInt32BE(record, place * 8 + side * 4);
    }
  }
  return { tree, count: nodes.length };
}

const TYPES = { string: 2, number: 6, map: 7, array: 11 };

function encode(value: Value): Buffer {
  if (typeof value === 'string')
    return Buffer.concat([control(TYPES.string, Buffer.byteLength(value)), Buffer.from(value)]);
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    return Buffer.concat([control(TYPES.number, 4), bytes]);
  }
  if (Array.isArray(value)) return Buffer.concat([control(TYPES.array, value.length), ...value.map(encode)]);
  const entries = Object.entries(value);
  return Buffer.concat([
    control(TYPES.map, entries.length),
    ...entries.flatMap(([key, inner]) => [encode(key), encode(inner)]),
  ]);
}

/** Returns type and size; types above 7 take another byte. Sizes here are below 29 + 256. */
function control(type: number, size: number): Buffer {
  const first = ((type > 7 ? 0 : type) << 5) | Math.min(size, 29);
  return Buffer.from([first, ...(type > 7 ? [type - 7] : []), ...(size >= 29 ? [size - 29] : [])]);
}
