import { parseAddress } from '../kernel/ip.ts';

/**
 * Returns the default name of this server in EHLO: the host of its public URL, or an address literal (RFC 5321
 * §4.1.3). Mail servers refuse names without a dot, such as `localhost`, so its address is used instead.
 */
export function ehloName(publicUrl: string): string {
  const host = new URL(publicUrl).hostname.replace(/^\[|\]$/g, '');
  const address = parseAddress(host);
  if (address) return address.kind() === 'ipv6' ? `[IPv6:${host}]` : `[${host}]`;
  return host.includes('.') ? host : '[127.0.0.1]';
}
