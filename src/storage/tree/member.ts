import type { Database, Query, Reader } from '../../kernel/database/database.ts';
import { notFound, Problem } from '../../kernel/problem.ts';
import type { MembershipsTable } from '../tables.ts';

/** Rights of a member in a workspace; each role includes those before it. */
export const ROLES = ['viewer', 'editor', 'manager'] as const;
export type Role = (typeof ROLES)[number];

declare const authenticated: unique symbol;

/**
 * A caller, with the role that it needs in the workspace of every row it reaches. Rows of storage are found for a
 * member only. Routes receive it from the `auth` of their endpoint and cannot create one.
 */
export interface Member {
  /** Id of its memberships: of an account, or of a workspace token. */
  readonly id: string;
  readonly needs: Role;
  /** The workspace of a token; null = an account. */
  readonly workspaceId: string | null;
  readonly [authenticated]: true;
}

export function memberOf(id: string, needs: Role, workspaceId: string | null = null): Member {
  return { id, needs, workspaceId } as Member;
}

/** Returns the member for rows that require a higher role than the endpoint itself. */
export function requiring(member: Member, role: Role): Member {
  return ROLES.indexOf(role) > ROLES.indexOf(member.needs) ? { ...member, needs: role } : member;
}

/** Starts a query over the memberships of a caller in live or in deleted workspaces. */
function membershipsOf(reader: Reader, memberId: string, state: 'live' | 'deleted') {
  return reader
    .selectFrom('memberships')
    .innerJoin('workspaces', 'workspaces.id', 'memberships.workspace_id')
    .select('memberships.role')
    .where('memberships.account_id', '=', memberId)
    .where('workspaces.date_deleted', state === 'deleted' ? 'is not' : 'is', null);
}

export type MembershipQuery = ReturnType<typeof membershipsOf>;
type Membership = Pick<MembershipsTable, 'role'>;

interface ReachOptions {
  /** State of the workspace. */
  state?: 'live' | 'deleted';
  /** See `Prepare`. Default: false. */
  isLookup?: boolean;
}

/**
 * Prepares a query for a row of a workspace. The function that is returned returns the row if the caller may reach it:
 * all access of members to rows goes through here.
 * @param select joins the row with the caller's memberships and their workspaces
 * @throws Problem 404 when there is no such row in a workspace of the caller, 403 `role_insufficient`
 */
export function prepareReach<Row extends Membership, Values extends Record<string, string>>(
  { prepare }: Pick<Database, 'prepare'>,
  select: (memberships: MembershipQuery, values: Values) => Query<Row>,
  { state = 'live', isLookup = false }: ReachOptions = {},
): (reader: Reader, member: Member, values: Values) => Promise<Row> {
  const find = prepare(
    (reader: Reader, values: Values & { memberId: string }) =>
      select(membershipsOf(reader, values.memberId, state), values),
    { isLookup },
  );
  return async (reader, member, values) => {
    const [row] = await find(reader, { ...values, memberId: member.id });
    if (!row) throw notFound();
    const role = roleOf(row);
    if (ROLES.indexOf(role) < ROLES.indexOf(member.needs)) throw roleInsufficient(member.needs, role);
    return row;
  };
}

/** The owner of a personal workspace has every right in it. */
export function roleOf({ role }: Membership): Role {
  return role === 'owner' ? 'manager' : role;
}

function roleInsufficient(needed: Role, role: Role): Problem {
  return new Problem(
    'role_insufficient',
    `This requires the role \`${needed}\` in the workspace; yours is \`${role}\`.`,
  );
}
