import { createCache } from '../cache.ts';
import { canonicalAddress, isInRanges, parseAddress, parseRanges } from '../ip.ts';

/** Determines a request's client address, with `X-Forwarded-For` taken from trusted proxies only. */
export interface Addresses {
  /** @param peer the socket's address @param forwardedFor the `X-Forwarded-For` header */
  client(peer: string, forwardedFor: string | null): string;
  isTrusted(peer: string): boolean;
}

const PEERS = 10_000;

/** @param trusted addresses and CIDR ranges of proxies @throws Error for any other text */
export function createAddresses(trusted: readonly string[]): Addresses {
  const proxies = parseRanges(trusted);
  /** Canonical addresses by the text of the socket, which is the same for all requests of a connection. */
  const peers = createCache<string>({ max: PEERS });
  const addressOf = (peer: string) => {
    const known = peers.get(peer);
    if (known !== undefined) return known;
    const address = plainAddress(peer);
    peers.set(peer, address);
    return address;
  };
  const isTrusted = (peer: string) => {
    const address = parseAddress(plainAddress(peer));
    return address !== null && isInRanges(address, proxies);
  };
  return {
    isTrusted,
    client(peer, forwardedFor) {
      let address = addressOf(peer);
      if (!forwardedFor || !isTrusted(peer)) return address;
      // The nearest proxy appended the rightmost entry; walk left while the writers are trusted.
      for (const entry of forwardedFor.split(',').reverse()) {
        const candidate = plainAddress(entry.trim());
        if (parseAddress(candidate) === null) break;
        address = candidate;
        if (!isTrusted(candidate)) break;
      }
      return address;
    },
  };
}

/** Returns the canonical address without port, brackets and zone; returns any other text unchanged. */
function plainAddress(text: string): string {
  const bare = text
    .replace(/^\[(.*)\](?::\d+)?$/, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
    .replace(/%.*$/, '');
  return canonicalAddress(bare) ?? bare;
}
