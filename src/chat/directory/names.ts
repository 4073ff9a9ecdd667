import { isId } from '../../kernel/ids.ts';
import { invalidField } from '../../kernel/problem.ts';
import { MAX_NAME_LENGTH } from '../../kernel/shared-fields.ts';

/** Returns a key that is the same for equal names: NFC, in lower case. */
export function foldName(name: string): string {
  return name.normalize('NFC').toLowerCase().normalize('NFC');
}

const SNOWFLAKE = /^\d{1,20}$/;

/** Returns what is wrong with the name of a client, guild or channel; null = valid. */
export function nameFault(name: string): string | null {
  if (name.trim() === '') return 'must not be empty';
  if (name !== name.trim()) return 'must not begin or end with a space';
  if (name.length > MAX_NAME_LENGTH) return `must have at most ${MAX_NAME_LENGTH} characters`;
  if (/\p{Cc}/u.test(name)) return 'must not contain control characters';
  if (isId(name.toLowerCase())) return 'must not look like a GUID, since both identify a client';
  return null;
}

/** Returns what is wrong with a platform's id (a snowflake: up to 20 digits); null = valid. */
export function platformIdFault(id: string): string | null {
  return SNOWFLAKE.test(id) ? null : 'must be the platform’s id: at most 20 digits';
}

const MAX_TOKEN_LENGTH = 2_000;

/**
 * Returns what is wrong with a bot's token; null = valid. The token is sent as a header value, where a line break would
 * begin another header.
 */
export function tokenFault(token: string): string | null {
  if (token.length > MAX_TOKEN_LENGTH) return `must have at most ${MAX_TOKEN_LENGTH} characters`;
  return /^[\x21-\x7e]+$/.test(token)
    ? null
    : 'must be the bot’s token: ASCII letters, digits and punctuation, without spaces';
}

/** @throws Problem 400 that names `name` */
export function requireName(name: string): void {
  const fault = nameFault(name);
  if (fault) throw invalidField('name', fault);
}

/** @throws Problem 400 that names `platformId` */
export function requirePlatformId(id: string): void {
  const fault = platformIdFault(id);
  if (fault) throw invalidField('platformId', fault);
}
