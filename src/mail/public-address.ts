import { isInRanges, parseAddress, parseRanges } from '../kernel/ip.ts';

const GLOBAL_UNICAST = parseRanges(['2000::/3']);

/**
 * Reports whether `address` belongs to the public internet. Every special-purpose block is refused
 * (https://www.iana.org/assignments/iana-ipv4-special-registry and …/iana-ipv6-special-registry; ipaddr.js has the
 * table), and of IPv6 all but the global unicast space without ISATAP: NAT64, 6to4, Teredo and mapped addresses embed
 * an IPv4 address.
 */
export function isPublicAddress(address: string): boolean {
  const parsed = parseAddress(address);
  if (parsed?.range() !== 'unicast') return false;
  return 'octets' in parsed || (isInRanges(parsed, GLOBAL_UNICAST) && !isIsatap(parsed.parts));
}

/** RFC 5214 §6.1: an interface identifier that embeds an IPv4 address. */
function isIsatap([, , , , fifth = 0, sixth]: readonly number[]): boolean {
  return (fifth & 0xfdff) === 0 && sixth === 0x5efe;
}
