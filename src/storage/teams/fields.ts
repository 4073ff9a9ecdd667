import { z } from 'zod';
import { ROLES } from '../tree/member.ts';

export const memberRoleField = z.enum(ROLES, 'must be viewer, editor or manager');

/** Role of an application's token, which cannot manage a workspace. */
export const tokenRoleField = memberRoleField.extract(['viewer', 'editor'], {
  error: 'must be viewer or editor',
});
export type TokenRole = z.infer<typeof tokenRoleField>;
