import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { type Clock, SECOND } from '../kernel/clock.ts';
import { invalidField, Problem } from '../kernel/http/problem.ts';

/** Gives the addresses of a name; empty or an error when there are none. */
export type Resolve = (name: string) => Promise<string[]>;

/** Decides which SMTP servers a caller may have us connect to. */
export interface Hosts {
  /**
   * Resolves `host` once and checks every address. The connection must then go to one of the addresses given, never to the
   * name again, which could resolve to another address the second time. Empty only where private hosts are allowed.
   * @throws Problem 400 `host_not_allowed`, the same after the same time whatever the reason
   */
  check(host: string, port: number): Promise<string[]>;
}

const PORTS_ALLOWED = [25, 465, 587, 2525];
/** All refusals come after this time, so that they cannot be told apart, and no name takes longer. */
const REFUSED_AFTER_MS = 2 * SECOND;

interface HostsParts {
  allowPrivate: boolean;
  clock: Clock;
  resolve?: Resolve;
}

export function createHosts({ allowPrivate, clock, resolve = systemResolve }: HostsParts): Hosts {
  async function publicAddresses(host: string, port: number): Promise<string[] | null> {
    if (!PORTS_ALLOWED.includes(port)) return null;
    const name = hostName(host);
    if (name === null) return null;
    const addresses = isIP(name) ? [name] : await resolve(name).catch(() => []);
    return addresses.length > 0 && addresses.every(isPublicAddress) ? addresses : null;
  }

  return {
    async check(host, port) {
      if (allowPrivate) {
        if (!/^[\p{L}\p{M}\p{N}._:[\]-]{1,255}$/u.test(host))
          throw invalidField('SmtpConfiguration.Host', 'must be a host name or an address');
        return [];
      }
      const started = clock.now();
      const addresses = await Promise.race([publicAddresses(host, port), Bun.sleep(REFUSED_AFTER_MS).then(() => null)]);
      if (addresses) return addresses;
      await Bun.sleep(Math.max(0, started + REFUSED_AFTER_MS - clock.now()));
      throw new Problem(
        'host_not_allowed',
        `SmtpConfiguration.Host must be a public mail server, and its port one of ${PORTS_ALLOWED.join(', ')}.`,
        { errors: [{ path: 'SmtpConfiguration.Host', message: 'must be a public mail server on a mail port' }] },
      );
    },
  };
}

async function systemResolve(name: string): Promise<string[]> {
  const found = await lookup(name, { all: true, verbatim: true });
  return found.map(({ address }) => address);
}

/** A host name in ASCII or a canonical address; null for anything that a resolver might read as an address in disguise. */
function hostName(host: string): string | null {
  const bare = /^\[(.*)\]$/.exec(host)?.[1] ?? host;
  if (isIP(bare) && !bare.includes('%')) return bare;
  const typed = bare.replace(/\.$/, '');
  const name = /^[a-z0-9.-]+$/i.test(typed) ? typed.toLowerCase() : /^[\p{L}\p{M}\p{N}.-]+$/u.test(typed) ? domainToASCII(typed) : '';
  if (!/^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/.test(name)) return null;
  // “127.1”, “0x7f.1”, “2130706433”, “017700000001”: inet_aton takes them for IPv4 (https://url.spec.whatwg.org/#ends-in-a-number-checker).
  const last = name.slice(name.lastIndexOf('.') + 1);
  return /^(?:\d+|0x[0-9a-f]*)$/.test(last) ? null : name;
}

/** Blocks that are not of the public internet (https://www.iana.org/assignments/iana-ipv4-special-registry). */
const IPV4_NOT_PUBLIC: readonly [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
];

/**
 * True for an address of the public internet. Of IPv6 only the global unicast space is public, less what tunnels or embeds
 * IPv4 (mapped, NAT64, 6to4, Teredo, ISATAP), documentation and other special uses.
 */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 4) {
    const number = ipv4Number(address);
    return !IPV4_NOT_PUBLIC.some(([network, bits]) => number >>> (32 - bits) === ipv4Number(network) >>> (32 - bits));
  }
  if (version !== 6 || address.includes('%')) return false;
  const groups = ipv6Groups(address);
  const [first = 0, second = 0, , , , sixth = 0, ,] = groups;
  if (first >>> 13 !== 1) return false; // 2000::/3 alone is global unicast
  if (first === 0x2001 && second < 0x0200) return false; // 2001::/23: Teredo, ORCHID, benchmarking, …
  if (first === 0x2001 && second === 0x0db8) return false;
  if (first === 0x2002) return false; // 6to4
  if (first === 0x3fff && second < 0x1000) return false; // documentation, RFC 9637
  const isatap = ((groups[4] ?? 0) & 0xfdff) === 0 && sixth === 0x5efe; // RFC 5214 §6.1
  return !isatap;
}

function ipv4Number(address: string): number {
  return address.split('.').reduce((number, part) => number * 256 + Number(part), 0) >>> 0;
}

function ipv6Groups(address: string): number[] {
  const dotted = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(address);
  const number = dotted ? ipv4Number(dotted[2] ?? '') : 0;
  const plain = dotted ? `${dotted[1]}${(number >>> 16).toString(16)}:${(number & 0xffff).toString(16)}` : address;
  const [head = '', tail] = plain.split('::');
  const parse = (part: string) => (part ? part.split(':').map((group) => Number.parseInt(group, 16)) : []);
  const left = parse(head);
  const right = tail === undefined ? [] : parse(tail);
  return [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right];
}
