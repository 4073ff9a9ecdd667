import { type Clock, isoTime } from '../../kernel/clock.ts';
import { parseAddress } from '../../kernel/ip.ts';
import { inLanguages, type Language } from '../../kernel/language.ts';
import type { Geoip } from '../geoip.ts';

const VALUES = ['address', 'userAgent', 'language', 'referrer'] as const;
type ValueName = (typeof VALUES)[number];

/** Returns the name of a value in `SystemInfo`, in lower case. */
const keyOf = (name: ValueName) => (name === 'address' ? 'ipaddress' : name.toLowerCase());

/** The known facts about the sender of a form. */
export interface Visitor {
  address: string;
  userAgent: string | null;
  language: string | null;
  referrer: string | null;
  /** True = a back end that relays the form reported the values, unverified, except those in `seen`. */
  reported: boolean;
  /** The values that the request had; absent in forms stored by earlier versions. */
  seen?: ValueName[] | undefined;
  /** Further values of the back end, by name. */
  more: Record<string, unknown>;
}

/** A row of the table in the e-mail. */
export interface InfoRow {
  name: string;
  value: string;
  reported?: boolean;
}

interface SystemDeps {
  geoip: Geoip;
  clock: Clock;
}

const english = {
  address: 'Address',
  place: 'Place',
  userAgent: 'User agent',
  language: 'Language',
  referrer: 'Referrer',
  time: 'Time',
};
/** The names of the rows. */
export const systemLabels = inLanguages(english, {
  de: {
    address: 'IP-Adresse',
    place: 'Standort',
    userAgent: 'Browserkennung',
    language: 'Sprache',
    referrer: 'Verweisende Seite',
    time: 'Zeit',
  },
});

const MAX_ROWS = 50;
const MAX_VALUE_LENGTH = 2_000;

/** Returns the visitor as seen in the request, or as reported in `SystemInfo` by a back end that relays the form. */
export function visitorOf(
  seen: Omit<Visitor, 'reported' | 'seen' | 'more'>,
  reported: Record<string, unknown> | undefined,
): Visitor {
  const entries = Object.entries(reported ?? {});
  if (entries.length === 0) return { ...seen, reported: false, more: {} };
  const given = (name: ValueName) => {
    const value = entries.find(([key]) => key.toLowerCase() === keyOf(name))?.[1];
    return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
  };
  const address = given('address');
  const values: Record<ValueName, string | null> = {
    address: address !== null && parseAddress(address) ? address : null,
    userAgent: given('userAgent'),
    language: given('language'),
    referrer: given('referrer'),
  };
  const used = VALUES.filter((name) => values[name] !== null).map(keyOf);
  // With an address, `SystemInfo` describes the visitor completely; the request then describes the back end.
  const fallback = address === null ? seen : { userAgent: null, language: null, referrer: null };
  return {
    address: values.address ?? seen.address,
    userAgent: values.userAgent ?? fallback.userAgent,
    language: values.language ?? fallback.language,
    referrer: values.referrer ?? fallback.referrer,
    reported: true,
    seen: VALUES.filter((name) => values[name] === null),
    more: Object.fromEntries(entries.filter(([key]) => !used.includes(key.toLowerCase()))),
  };
}

/** @param language of the names of the rows and of the place */
export async function systemRows(
  visitor: Visitor,
  language: Language,
  { geoip, clock }: SystemDeps,
): Promise<InfoRow[]> {
  const location = await geoip.locate(visitor.address, language);
  const where = [location?.city, location?.region, location?.country]
    .filter((name) => name !== null && name !== undefined)
    .join(', ');
  const isReported = (name: ValueName) => visitor.reported && !visitor.seen?.includes(name);
  const labels = systemLabels(language);
  const rows: InfoRow[] = [
    { name: labels.address, value: visitor.address, reported: isReported('address') },
    { name: labels.place, value: where, reported: isReported('address') },
    { name: labels.userAgent, value: visitor.userAgent ?? '', reported: isReported('userAgent') },
    { name: labels.language, value: visitor.language ?? '', reported: isReported('language') },
    { name: labels.referrer, value: visitor.referrer ?? '', reported: isReported('referrer') },
    { name: labels.time, value: isoTime(clock.now()), reported: false },
    ...fieldRows(visitor.more).map((other) => ({ ...other, reported: true })),
  ];
  return rows
    .map(({ name, value, reported }) => ({ name: oneLine(name), value: oneLine(shortened(value)), reported }))
    .filter(({ value }) => value !== '');
}

/**
 * Returns the answers of a form as rows. The lines of an answer after the first are indented, so that none of them
 * looks like a row in the text of the e-mail.
 */
export function answerRows(fields: Record<string, unknown>): InfoRow[] {
  return fieldRows(fields)
    .map(({ name, value }) => ({
      name: oneLine(name),
      value: value.split(LINE_BREAK).join('\n').trim().replaceAll('\n', '\n    '),
    }))
    .filter(({ value }) => value !== '');
}

/** Returns the caller's own fields as rows; values other than texts as JSON. */
export function fieldRows(fields: Record<string, unknown>): InfoRow[] {
  return Object.entries(fields)
    .filter(([, value]) => value !== null && value !== undefined && value !== '')
    .slice(0, MAX_ROWS)
    .map(([name, value]) => ({
      name: name.slice(0, 100),
      value: shortened(typeof value === 'string' ? value : JSON.stringify(value)),
    }));
}

function shortened(value: string): string {
  return value.slice(0, MAX_VALUE_LENGTH);
}

/** All characters that programs display as a line break, and other controls. */
const LINE_BREAK = /\r\n|[\p{Zl}\p{Zp}]|(?!\t)\p{Cc}/u;

/** Replaces line breaks with spaces, so that a value cannot look like another row. */
function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
}
