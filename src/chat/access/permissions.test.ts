import { expect, test } from 'bun:test';
import { permissionsOf } from './permissions.ts';

/** The roles in responses of 1 MB; comparing each with each takes half a minute. */
const MEMBER_ROLES = 150_000;
const ROLES = 30_000;
const TIMEOUT_MS = 10_000;

test(
  'the time to find the roles of a member grows with their number',
  () => {
    const memberRoles = Array.from({ length: MEMBER_ROLES }, (_, index) => `${index}`);
    const roles = Array.from({ length: ROLES }, (_, index) => ({ id: `r${index}`, permissions: '1' }));
    const facts = { memberId: 'm', ownerId: null, guildId: 'g', memberRoles, roles, overwrites: [] };
    expect(permissionsOf(facts)).toBe(0n);
  },
  TIMEOUT_MS,
);
