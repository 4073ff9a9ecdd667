import { z } from 'zod';

export const MAX_NAME_LENGTH = 100;

/** Like `nameField`, or empty. */
export const optionalNameField = z
  .string()
  .trim()
  .max(MAX_NAME_LENGTH, `must have at most ${MAX_NAME_LENGTH} characters`)
  .refine((name) => !/\p{Cc}/u.test(name), 'must not contain control characters');

/** Name of a person, a workspace, a mail client or a token. */
export const nameField = optionalNameField.min(1, 'must not be empty');
