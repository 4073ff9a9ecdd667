import type { Guard } from '../../identity/guard.ts';
import type { Auth } from '../../kernel/http/auth.ts';
import { type Member, memberOf, type Role } from '../tree/member.ts';

/** The callers of storage, by the role that an endpoint requires in the workspace of what it is called for. */
export type Members = Readonly<Record<Role, Auth<Member>>>;

export function createMembers({ account }: Guard): Members {
  const needing = (needs: Role): Auth<Member> => ({
    ...account,
    name: needs,
    problems: (method) =>
      needs === 'viewer' ? account.problems(method) : [...account.problems(method), 'role_insufficient'],
    async authenticate(c, body) {
      const { accountId } = await account.authenticate(c, body);
      return memberOf(accountId, needs);
    },
  });
  return { viewer: needing('viewer'), editor: needing('editor'), manager: needing('manager') };
}
