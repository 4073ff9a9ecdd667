import { lookup } from 'node:dns/promises';
import { type Clock, SECOND } from '../kernel/clock.ts';
import { parseAddress } from '../kernel/ip.ts';
import { steadyClock } from '../kernel/limits/steady-clock.ts';
import { invalidField, Problem } from '../kernel/problem.ts';
import { asciiDomain } from './compose/mime/addresses.ts';
import { isPublicAddress } from './public-address.ts';

/** Returns the addresses of a name; empty or an error if it has none. */
export type Resolve = (name: string) => Promise<string[]>;

/**
 * Decides whether this server connects to an SMTP server of a caller. Resolves `host` once, checks every address and
 * returns them. The connection must go to one of these addresses and not resolve the name again, which could return
 * another address. Empty only when private hosts are allowed.
 * @throws Problem 400 `host_not_allowed`, the same after the same time for every reason
 */
export type CheckHost = (host: string, port: number) => Promise<string[]>;

const PORTS_ALLOWED = [25, 465, 587, 2525];
/**
 * Duration of every refusal, so that callers cannot distinguish their reasons. Also the time limit of resolving a name.
 */
const REFUSED_AFTER_MS = 2 * SECOND;

interface CheckHostDeps {
  allowPrivate: boolean;
  clock: Clock;
  resolve?: Resolve;
  sleep?(ms: number): Promise<void>;
}

export function createCheckHost(deps: CheckHostDeps): CheckHost {
  const { allowPrivate, resolve = systemResolve, sleep = Bun.sleep } = deps;
  const clock = steadyClock(deps.clock);

  async function publicAddresses(host: string, port: number): Promise<string[] | null> {
    if (!PORTS_ALLOWED.includes(port)) return null;
    const name = hostName(host);
    if (name === null) return null;
    const addresses = parseAddress(name) ? [name] : await resolve(name).catch(() => []);
    return addresses.length > 0 && addresses.every(isPublicAddress) ? addresses : null;
  }

  return async (host, port) => {
    if (allowPrivate) {
      if (!/^[\p{L}\p{M}\p{N}._:[\]-]{1,255}$/u.test(host))
        throw invalidField('SmtpConfiguration.Host', 'must be a host name or an address');
      return [];
    }
    const started = clock.now();
    const addresses = await Promise.race([
      publicAddresses(host, port),
      sleep(REFUSED_AFTER_MS).then(() => null),
    ]);
    if (addresses) return addresses;
    await sleep(Math.max(0, started + REFUSED_AFTER_MS - clock.now()));
    throw new Problem(
      'host_not_allowed',
      `SmtpConfiguration.Host must be a public mail server, and its port one of ${PORTS_ALLOWED.join(', ')}.`,
      {
        fields: [{ path: 'SmtpConfiguration.Host', message: 'must be a public mail server on a mail port' }],
      },
    );
  };
}

async function systemResolve(name: string): Promise<string[]> {
  const found = await lookup(name, { all: true, verbatim: true });
  return found.map(({ address }) => address);
}

/** Returns a host name in ASCII, or an address; null for text that a resolver may read as another address. */
function hostName(host: string): string | null {
  const bare = /^\[(.*)\]$/.exec(host)?.[1] ?? host;
  if (parseAddress(bare)) return bare;
  const name = asciiDomain(bare.replace(/\.$/, ''));
  // “127.1”, “0x7f.1”, “2130706433”, “017700000001”: inet_aton reads them as IPv4
  // (https://url.spec.whatwg.org/#ends-in-a-number-checker).
  return name === null || /(?:^|\.)(?:\d+|0x[0-9a-f]*)$/.test(name) ? null : name;
}
