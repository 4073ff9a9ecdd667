import { isId } from '../kernel/ids.ts';

/** The form in which two names are the same: NFC, without regard to case. */
export function foldName(name: string): string {
  return name.normalize('NFC').toLowerCase().normalize('NFC');
}

const LONGEST_NAME = 100;
const SNOWFLAKE = /^\d{1,20}$/;

/** What is wrong with a client's, guild's or channel's name; null = nothing. */
export function nameFault(name: string): string | null {
  if (name.trim() === '') return 'must not be empty';
  if (name !== name.trim()) return 'must not begin or end with a space';
  if (name.length > LONGEST_NAME) return `must have at most ${LONGEST_NAME} characters`;
  if (/\p{Cc}/u.test(name)) return 'must hold no control characters';
  if (isId(name.toLowerCase())) return 'must not look like a GUID, since both name a client';
  return null;
}

/** What is wrong with a platform's id (a snowflake: up to 20 digits); null = nothing. */
export function platformIdFault(id: string): string | null {
  return SNOWFLAKE.test(id) ? null : 'must be the platform’s id: digits only, 20 at most';
}
