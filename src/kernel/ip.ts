import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;
/** A CIDR range: its network and the length of its prefix in bits. */
export type IpRange = readonly [network: IpAddress, bits: number];

/**
 * Reads an address in its standard form (RFC 4291 §2.2, four decimal numbers for IPv4); null for any other text.
 * Zones (`%eth0`) and the forms of inet_aton (`127.1`, `0x7f.1`) are refused, inside IPv6 too, where ipaddr.js
 * alone accepts them.
 */
export function parseAddress(text: string): IpAddress | null {
  return isIP(text) === 0 || text.includes('%') ? null : ipaddr.parse(text);
}

/** Returns the canonical form of an address (RFC 5952, mapped IPv4 as IPv4); null = not an address. */
export function canonicalAddress(text: string): string | null {
  const address = parseAddress(text);
  return address && unmapped(address).toString();
}

/** Reads an address or a CIDR range; null for any other text. */
export function parseIpRange(text: string): IpRange | null {
  const [address = '', bits, ...more] = text.split('/');
  const network = parseAddress(address);
  if (!network || more.length > 0) return null;
  const maxBits = network.kind() === 'ipv4' ? 32 : 128;
  if (bits === undefined) return rangeOf(network, maxBits);
  return /^\d{1,3}$/.test(bits) && Number(bits) <= maxBits ? rangeOf(network, Number(bits)) : null;
}

/** @throws Error when one of `texts` is neither an address nor a CIDR range */
export function parseRanges(texts: readonly string[]): IpRange[] {
  return texts.map((text) => {
    const range = parseIpRange(text);
    if (!range) throw new Error(`${text} is neither an address nor a CIDR range`);
    return range;
  });
}

/** Reports whether one of `ranges` contains `address`. */
export function isInRanges(address: IpAddress, ranges: readonly IpRange[]): boolean {
  return ranges.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
}

/** Reports whether `host`, a name or an address (with or without brackets), is this machine itself (RFC 6761 §6.3). */
export function isLoopbackHost(host: string): boolean {
  return /^(?:(?:.+\.)?localhost|127\.[\d.]+|\[?::1\]?)$/i.test(host);
}

/**
 * Returns the key under which limits count: an IPv4 address, or the /64 of an IPv6 address, which belongs to one
 * subscriber.
 */
export function limitKey(text: string): string {
  if (isIP(text) === 4) return text;
  const parsed = parseAddress(text);
  const address = parsed && unmapped(parsed);
  if (!address) return text;
  return address instanceof ipaddr.IPv4
    ? address.toString()
    : `${address.parts
        .slice(0, 4)
        .map((group) => group.toString(16))
        .join(':')}::/64`;
}

/** Converts IPv4 mapped into IPv6 (`::ffff:192.0.2.1`, RFC 4291 §2.5.5.2) to IPv4. */
function unmapped(address: IpAddress): IpAddress {
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

const MAPPED_BITS = 96;

function rangeOf(network: IpAddress, bits: number): IpRange {
  const plain = unmapped(network);
  return plain === network || bits < MAPPED_BITS ? [network, bits] : [plain, bits - MAPPED_BITS];
}
