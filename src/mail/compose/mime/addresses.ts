import { domainToASCII } from 'node:url';
import { invalidField } from '../../../kernel/problem.ts';

/** A mailbox (RFC 5322 §3.4): its address and its display name. */
export interface Mailbox {
  address: string;
  name: string;
}

/** C0, DEL and C1 controls, and the line and paragraph separators. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: refuses them
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;
/** dot-atom of RFC 5322 §3.2.3 and RFC 6531. Quoted local parts are refused: parsers disagree on them. */
const LOCAL_PART =
  /^[\w!#$%&'*+/=?^`{|}~\u0080-\u{10ffff}-]+(?:\.[\w!#$%&'*+/=?^`{|}~\u0080-\u{10ffff}-]+)*$/u;
const DOMAIN =
  /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/i;
const MAX_LOCAL_PART_LENGTH = 64;
const MAX_DOMAIN_LENGTH = 253;
const MAX_NAME_LENGTH = 256;
/** Every character escaped, between quotes. */
const MAX_QUOTED_LENGTH = 2 * MAX_NAME_LENGTH + 2;

/**
 * Reads exactly one mailbox: `name@example.org` or `Name <name@example.org>`. A list is refused, so that an address
 * from a form of the application cannot add recipients.
 * @throws Problem 400 that names `field`
 */
export function readMailbox(text: string, field: string): Mailbox {
  if (CONTROLS.test(text)) throw invalidField(field, 'must not contain line breaks or control characters');
  const trimmed = text.trim();
  const match = /^(?<name>[^<>]*)<(?<address>[^<>]*)>$/.exec(trimmed)?.groups;
  const address = normalAddress(match ? (match.address ?? '') : trimmed);
  const name = match ? displayName(match.name ?? '') : '';
  if (address === null || name === null)
    throw invalidField(
      field,
      'must be one e-mail address, alone or as “Name <name@example.org>”; names with a comma need quotes',
    );
  return { address, name };
}

/** Returns `text` if it fits a header field: no line breaks, no controls. @throws Problem 400 that names `field` */
export function readHeaderText(text: string, field: string, longest: number): string {
  if (CONTROLS.test(text)) throw invalidField(field, 'must not contain line breaks or control characters');
  if (text.length > longest) throw invalidField(field, `must have at most ${longest} characters`);
  return text;
}

export function isMailbox(text: string): boolean {
  try {
    readMailbox(text, '');
    return true;
  } catch {
    return false;
  }
}

/** Reports whether `list`, of addresses and `@domain`s, contains `address`, ignoring case. */
export function isListed(address: string, list: readonly string[]): boolean {
  const lower = address.toLowerCase();
  const domain = lower.slice(lower.lastIndexOf('@'));
  return list.some((entry) => {
    const wanted = entry.toLowerCase().replace(/^.*<(.*)>$/, '$1');
    return wanted === lower || wanted === domain;
  });
}

export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1);
}

function normalAddress(address: string): string | null {
  const at = address.lastIndexOf('@');
  const local = address.slice(0, at);
  // An unpaired surrogate would be sent as U+FFFD, to another address.
  if (!local.isWellFormed()) return null;
  if (at < 1 || Buffer.byteLength(local) > MAX_LOCAL_PART_LENGTH || !LOCAL_PART.test(local)) return null;
  const domain = asciiDomain(address.slice(at + 1));
  return domain === null ? null : `${local}@${domain}`;
}

/** Returns a host name in ASCII (RFC 5891) and lower case; null for any other text. */
export function asciiDomain(text: string): string | null {
  // The time of the conversion grows with the square of the length.
  if (text.length > MAX_DOMAIN_LENGTH) return null;
  // Passes only names to the converter, which would decode `a%2eb` and `0x7f.1`.
  const domain = /^[a-z0-9.-]+$/i.test(text)
    ? text
    : /^[\p{L}\p{M}\p{N}.\u3002-]+$/u.test(text)
      ? domainToASCII(text)
      : '';
  return DOMAIN.test(domain) ? domain.toLowerCase() : null;
}

function displayName(text: string): string | null {
  const trimmed = text.trim();
  if (trimmed.length > MAX_QUOTED_LENGTH) return null;
  const quoted = /^"((?:[^"\\]|\\.)*)"$/.exec(trimmed)?.[1]?.replace(/\\(.)/g, '$1');
  const name = quoted ?? trimmed;
  if (name.length > MAX_NAME_LENGTH) return null;
  // Unquoted, these would end the name, or begin another address (RFC 5322 §3.2.3 specials).
  return quoted === undefined && /[",;:@\\()[\]]/.test(name) ? null : name;
}
