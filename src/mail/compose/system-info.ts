import { isIP } from 'node:net';
import { isoTime } from '../../kernel/clock.ts';
import type { Places } from '../places.ts';

/** What is known of who filled in a form. */
export interface Visitor {
  address: string;
  userAgent: string | null;
  language: string | null;
  referrer: string | null;
  /** A back end that relays the form says so, and we cannot know. */
  reported: boolean;
  /** What else it says, by name. */
  more: Record<string, unknown>;
}

/** A line of the table in the mail. */
export interface InfoRow {
  name: string;
  value: string;
  reported?: boolean;
}

const MOST_ROWS = 50;
const LONGEST_VALUE = 2_000;
const RELAYED = ['ipaddress', 'useragent', 'language', 'referrer'];

/** The visitor as the request shows them, or as a back end that relays the form names them in `SystemInfo`. */
export function visitorOf(seen: Omit<Visitor, 'reported' | 'more'>, told: Record<string, unknown> | undefined): Visitor {
  const entries = Object.entries(told ?? {});
  const given = (name: string) => {
    const value = entries.find(([key]) => key.toLowerCase() === name)?.[1];
    return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
  };
  const address = given('ipaddress');
  if (entries.length === 0) return { ...seen, reported: false, more: {} };
  return {
    address: address !== null && isIP(address) !== 0 ? address : seen.address,
    userAgent: given('useragent') ?? (address === null ? seen.userAgent : null),
    language: given('language') ?? (address === null ? seen.language : null),
    referrer: given('referrer') ?? (address === null ? seen.referrer : null),
    reported: true,
    more: Object.fromEntries(entries.filter(([key]) => !RELAYED.includes(key.toLowerCase()))),
  };
}

/** The table of system information. */
export async function systemRows(visitor: Visitor, now: number, places: Places): Promise<InfoRow[]> {
  const place = await places.find(visitor.address);
  const where = [place?.city, place?.region, place?.country].filter((name) => name !== null && name !== undefined).join(', ');
  const row = (name: string, value: string | null, reported: boolean): InfoRow[] =>
    value ? [{ name, value: value.slice(0, LONGEST_VALUE), reported }] : [];
  return [
    ...row('Address', visitor.address, visitor.reported),
    ...row('Place', where, visitor.reported),
    ...row('User agent', visitor.userAgent, visitor.reported),
    ...row('Language', visitor.language, visitor.reported),
    ...row('Referrer', visitor.referrer, visitor.reported),
    ...row('Time', isoTime(now), false),
    ...fieldRows(visitor.more).map((other) => ({ ...other, reported: true })),
  ];
}

/** The caller's own fields as lines; what is no text stands as JSON. */
export function fieldRows(fields: Record<string, unknown>): InfoRow[] {
  return Object.entries(fields)
    .filter(([, value]) => value !== null && value !== undefined && value !== '')
    .slice(0, MOST_ROWS)
    .map(([name, value]) => ({
      name: name.slice(0, 100),
      value: (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, LONGEST_VALUE),
    }));
}
