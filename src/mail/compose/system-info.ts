import { type Clock, isoTime } from '../../kernel/clock.ts';
import { parseAddress } from '../../kernel/ip.ts';
import { inLanguages, type Language } from '../../kernel/language.ts';
import type { Geoip } from '../geoip.ts';

/** The known facts about the sender of a form. */
export interface Visitor {
  address: string;
  userAgent: string | null;
  language: string | null;
  referrer: string | null;
  /** True = reported by a back end that relays the form, and unverified. */
  reported: boolean;
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
const RELAYED = ['ipaddress', 'useragent', 'language', 'referrer'];

/** Returns the visitor as seen in the request, or as reported in `SystemInfo` by a back end that relays the form. */
export function visitorOf(
  seen: Omit<Visitor, 'reported' | 'more'>,
  reported: Record<string, unknown> | undefined,
): Visitor {
  const entries = Object.entries(reported ?? {});
  const given = (name: string) => {
    const value = entries.find(([key]) => key.toLowerCase() === name)?.[1];
    return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
  };
  if (entries.length === 0) return { ...seen, reported: false, more: {} };
  const address = given('ipaddress');
  // With an address, `SystemInfo` describes the visitor completely; the request then describes the back end.
  const fallback = address === null ? seen : { userAgent: null, language: null, referrer: null };
  return {
    address: address !== null && parseAddress(address) ? address : seen.address,
    userAgent: given('useragent') ?? fallback.userAgent,
    language: given('language') ?? fallback.language,
    referrer: given('referrer') ?? fallback.referrer,
    reported: true,
    more: Object.fromEntries(entries.filter(([key]) => !RELAYED.includes(key.toLowerCase()))),
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
  const row = (name: string, value: string | null, reported: boolean): InfoRow[] =>
    value ? [{ name, value: value.slice(0, MAX_VALUE_LENGTH), reported }] : [];
  const labels = systemLabels(language);
  return [
    ...row(labels.address, visitor.address, visitor.reported),
    ...row(labels.place, where, visitor.reported),
    ...row(labels.userAgent, visitor.userAgent, visitor.reported),
    ...row(labels.language, visitor.language, visitor.reported),
    ...row(labels.referrer, visitor.referrer, visitor.reported),
    ...row(labels.time, isoTime(clock.now()), false),
    ...fieldRows(visitor.more).map((other) => ({ ...other, reported: true })),
  ];
}

/** Returns the caller's own fields as rows; values other than texts as JSON. */
export function fieldRows(fields: Record<string, unknown>): InfoRow[] {
  return Object.entries(fields)
    .filter(([, value]) => value !== null && value !== undefined && value !== '')
    .slice(0, MAX_ROWS)
    .map(([name, value]) => ({
      name: name.slice(0, 100),
      value: (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, MAX_VALUE_LENGTH),
    }));
}
