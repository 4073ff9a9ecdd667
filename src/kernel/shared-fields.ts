import { z } from 'zod';
import { LANGUAGES } from './language.ts';

export const MAX_NAME_LENGTH = 100;

/** Like `nameField`, or empty. */
export const optionalNameField = z
  .string()
  .trim()
  .max(MAX_NAME_LENGTH, `must have at most ${MAX_NAME_LENGTH} characters`)
  .refine((name) => !/\p{Cc}/u.test(name), 'must not contain control characters');

/** Name that people choose. */
export const nameField = optionalNameField.min(1, 'must not be empty');

export const languageField = z.enum(LANGUAGES, `must be one of ${LANGUAGES.join(', ')}`);

/** A point in time with its offset from UTC. */
export const timeField = z.iso.datetime({
  offset: true,
  error: 'must be an ISO 8601 time with its offset, such as 2026-01-31T12:00:00Z',
});
