import { BlockList, isIP } from 'node:net';

/** Tells a request's client address and origin, believing `X-Forwarded-*` only from the proxies that were named. */
export interface Addresses {
  /** @param peer the socket's address @param forwardedFor the `X-Forwarded-For` header */
  client(peer: string | null, forwardedFor: string | null): string;
  isTrusted(peer: string | null): boolean;
}

/** @param trusted addresses and CIDR ranges */
export function createAddresses(trusted: readonly string[]): Addresses {
  const proxies = new BlockList();
  for (const entry of trusted) {
    const [network = '', bits] = entry.split('/');
    const address = bits === undefined ? plainAddress(network) : network;
    if (bits === undefined) proxies.addAddress(address, familyOf(address));
    else proxies.addSubnet(address, Number(bits), familyOf(address));
  }
  const isTrusted = (peer: string | null) => {
    if (peer === null || trusted.length === 0) return false;
    const address = plainAddress(peer);
    return proxies.check(address, familyOf(address));
  };
  return {
    isTrusted,
    client(peer, forwardedFor) {
      let address = plainAddress(peer ?? '127.0.0.1');
      if (!forwardedFor || !isTrusted(peer)) return address;
      // The right end was written by the nearest proxy; walk left while the writers are trusted.
      for (const entry of forwardedFor.split(',').reverse()) {
        const candidate = plainAddress(entry.trim());
        if (isIP(candidate) === 0) break;
        address = candidate;
        if (!isTrusted(candidate)) break;
      }
      return address;
    },
  };
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}

/** Without port and brackets; IPv4 written as IPv6 (`::ffff:192.0.2.1`) becomes IPv4 again, so that one caller has one address. */
function plainAddress(address: string): string {
  return address
    .replace(/^\[(.*)\](?::\d+)?$/, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
    .replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '');
}

/** The unit that limits count: an IPv4 address, or an IPv6 /64, since one subscriber has all of it. */
export function limitKey(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = '', tail] = address.split('::');
  const left = head ? head.split(':') : [];
  const right = tail ? tail.split(':') : [];
  const groups = tail === undefined ? left : [...left, ...Array(Math.max(0, 8 - left.length - right.length)).fill('0'), ...right];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group || '0', 16).toString(16))
    .join(':')}::/64`;
}
