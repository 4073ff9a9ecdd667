import { domainToASCII } from 'node:url';
import { invalidField } from '../../kernel/http/problem.ts';

/** A mailbox (RFC 5322 §3.4): its address and the name that people see. */
export interface Mailbox {
  address: string;
  name: string;
}

/** C0, DEL and C1 controls, and the line and paragraph separators. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;
/** dot-atom of RFC 5322 §3.2.3, with the characters beyond ASCII of RFC 6531. Quoted local parts are refused: parsers disagree on them. */
const LOCAL_PART = /^[\w!#$%&'*+/=?^`{|}~\u0080-\u{10ffff}-]+(?:\.[\w!#$%&'*+/=?^`{|}~\u0080-\u{10ffff}-]+)*$/u;
const DOMAIN = /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/i;
const LONGEST_LOCAL_PART = 64;
const LONGEST_NAME = 256;

/**
 * Reads exactly one mailbox: `name@example.org` or `Name <name@example.org>`. A list in one text is refused, so that an address
 * which somebody typed into an application cannot add recipients.
 * @throws Problem 400 that names `field`
 */
export function readMailbox(text: string, field: string): Mailbox {
  if (CONTROLS.test(text)) throw invalidField(field, 'must not hold line breaks or control characters');
  const trimmed = text.trim();
  const parts = /^(?<name>[^<>]*)<(?<address>[^<>]*)>$/.exec(trimmed)?.groups;
  const address = normalAddress(parts ? (parts.address ?? '') : trimmed);
  const name = parts ? displayName(parts.name ?? '') : '';
  if (address === null || name === null) throw invalidField(field, 'must be one e-mail address, alone or as “Name <name@example.org>”');
  return { address, name };
}

/** A text for a header: no line breaks, no controls. @throws Problem 400 that names `field` */
export function readHeaderText(text: string, field: string, longest: number): string {
  if (CONTROLS.test(text)) throw invalidField(field, 'must not hold line breaks or control characters');
  if (text.length > longest) throw invalidField(field, `must have ${longest} characters at most`);
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

/** True when `address` is in `list` of addresses and `@domain`s, without regard to case. */
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
  if (at < 1 || Buffer.byteLength(local) > LONGEST_LOCAL_PART || !LOCAL_PART.test(local)) return null;
  const typed = address.slice(at + 1);
  // Only what looks like a name goes to the converter, which would take `a%2eb` or `0x7f.1` for something else.
  const domain = /^[a-z0-9.-]+$/i.test(typed) ? typed : /^[\p{L}\p{M}\p{N}.\u3002-]+$/u.test(typed) ? domainToASCII(typed) : '';
  return DOMAIN.test(domain) ? `${local}@${domain.toLowerCase()}` : null;
}

function displayName(text: string): string | null {
  const trimmed = text.trim();
  const quoted = /^"((?:[^"\\]|\\.)*)"$/.exec(trimmed)?.[1]?.replace(/\\(.)/g, '$1');
  const name = quoted ?? trimmed;
  if (name.length > LONGEST_NAME) return null;
  // Unquoted, these would end the name, or begin another address (RFC 5322 §3.2.3 specials).
  return quoted === undefined && /[",;:@\\()[\]]/.test(name) ? null : name;
}
