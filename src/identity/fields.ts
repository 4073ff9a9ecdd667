import { z } from 'zod';
import { normalizeEmail } from './account.ts';

const MIN_PASSWORD_LENGTH = 8;
const MAX_PASSWORD_LENGTH = 512;

/** An e-mail address of at most 254 bytes (RFC 5321 §4.5.3.1), converted to lower case. */
export const emailField = z
  .string()
  .transform(normalizeEmail)
  .refine(
    (email) =>
      /^[^\s@<>"(),:;[\]\\\p{Cc}]+@[^\s@<>"(),:;[\]\\\p{Cc}]+$/u.test(email) &&
      Buffer.byteLength(email) <= 254,
    'must be an e-mail address',
  )
  .meta({ type: 'string', format: 'email' });

/** NIST SP 800-63B §3.1.1: eight characters or more, without composition rules. */
export const passwordField = z
  .string()
  .min(MIN_PASSWORD_LENGTH, `must have at least ${MIN_PASSWORD_LENGTH} characters`)
  .max(MAX_PASSWORD_LENGTH, `must have at most ${MAX_PASSWORD_LENGTH} characters`);

export const roleField = z.enum(['admin', 'user'], 'must be admin or user');
export const scopeField = z.enum(['read', 'write'], 'must be read or write');
export const DEFAULT_TOKEN_SCOPE = 'write';

/** Days until a token expires. */
export const DEFAULT_TOKEN_DAYS = 365;
export const daysField = z
  .int('must be a whole number')
  .min(1, 'must be at least 1')
  .max(3650, 'must be at most 3650');
