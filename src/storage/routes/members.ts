import type { Guard } from '../../identity/guard.ts';
import type { Auth } from '../../kernel/http/auth.ts';
import type { WorkspaceTokens } from '../teams/tokens.ts';
import { type Member, memberOf, type Role } from '../tree/member.ts';

/** Authentication of the endpoints of storage, by the role that they require in the workspace of the requested item. */
export type Members = Readonly<Record<Role, Auth<Member>>>;

export function createMembers(guard: Guard, tokens: Pick<WorkspaceTokens, 'find'>): Members {
  const caller = guard.accountOr(tokens.find);
  const needing = (needs: Role): Auth<Member> => ({
    ...caller,
    name: needs,
    problems: (method) =>
      needs === 'viewer' ? caller.problems(method) : [...caller.problems(method), 'role_insufficient'],
    async authenticate(c, body) {
      const found = await caller.authenticate(c, body);
      return 'accountId' in found
        ? memberOf(found.accountId, needs)
        : memberOf(found.id, needs, found.workspaceId);
    },
    // All tokens of a workspace count as one caller.
    idOf: ({ id, workspaceId }) => workspaceId ?? id,
  });
  return { viewer: needing('viewer'), editor: needing('editor'), manager: needing('manager') };
}
