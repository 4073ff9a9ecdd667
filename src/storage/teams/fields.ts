import { z } from 'zod';
import { ROLES } from '../tree/member.ts';

/** Name of a workspace or a token. */
export const nameField = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(100, 'must have at most 100 characters')
  .refine((name) => !/\p{Cc}/u.test(name), 'must not contain control characters');

export const memberRoleField = z.enum(ROLES, 'must be viewer, editor or manager');

/** Role of an application's token, which cannot manage a workspace. */
export const tokenRoleField = memberRoleField.extract(['viewer', 'editor'], {
  error: 'must be viewer or editor',
});
export type TokenRole = z.infer<typeof tokenRoleField>;
