import { parseIpRange } from '../kernel/ip.ts';

/**
 * Reports an error of a value, and returns null: the value of a parser that fails.
 * @param predicate of a sentence whose subject is the name of the setting
 */
export type Report = (predicate: string) => null;

/** Parses the text of one setting. Returns null when it is not valid (and reported), or empty. */
export type Parser<Value> = (text: string, report: Report) => Value | null;

export function plainText(text: string): string {
  return text;
}

export function integer(min: number, max: number): Parser<number> {
  return (text, report) => {
    const number = Number(text);
    if (/^\d+$/.test(text) && number >= min && number <= max) return number;
    return report(`must be a whole number from ${min} to ${max}, not “${text}”.`);
  };
}

export function boolean(text: string, report: Report): boolean | null {
  const value = text.toLowerCase();
  if (value === 'true' || value === '1') return true;
  if (value === 'false' || value === '0') return false;
  return report(`must be true or false, not “${text}”.`);
}

export function oneOf<Choice extends string>(choices: readonly Choice[]): Parser<Choice> {
  return (text, report) =>
    choices.find((choice) => choice === text) ??
    report(`must be one of ${choices.join(', ')}, not “${text}”.`);
}

/** Comma-separated items. @param flaw completes “has “item”, which …” */
export function list(isValid: (item: string) => boolean, flaw: string): Parser<string[]> {
  return (text, report) => {
    const items = splitList(text);
    for (const item of items) if (!isValid(item)) report(`has “${item}”, which ${flaw}.`);
    return items;
  };
}

export function splitList(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);
}

/** @param requirement completes “must …”; the value is not repeated, since it may be a secret */
export function matching(pattern: RegExp, requirement: string): Parser<string> {
  return (text, report) => (pattern.test(text) ? text : report(`must ${requirement}.`));
}

export function atLeast(length: number): Parser<string> {
  return (text, report) =>
    text.length >= length ? text : report(`must have at least ${length} characters.`);
}

/** An address with one of `protocols` and a host. */
export function parseUrl(text: string, protocols: readonly string[], report: Report): URL | null {
  const url = URL.parse(text);
  if (url && protocols.includes(url.protocol) && url.host) return url;
  // The value may hold a password, so the sentence does not repeat it.
  const starts = protocols.map((protocol) => `${protocol}//`).join(' or ');
  return report(`must be an address that begins with ${starts}.`);
}

/** Reports every parameter of `url` that is not among `known`. */
export function reportUnknownParameters(url: URL, known: readonly string[], report: Report): void {
  for (const name of url.searchParams.keys()) {
    if (!known.includes(name)) report(`has the unknown parameter “${name}”; it takes ${known.join(', ')}.`);
  }
}

/** Reports whether `text` is an address or a CIDR range of IPv4 or IPv6. */
export function isAddressOrRange(text: string): boolean {
  return parseIpRange(text) !== null;
}
