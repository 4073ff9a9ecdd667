import { useQuery } from '@tanstack/react-query';
import type { BodyOf } from '../../client/index.ts';
import { keys } from './keys.ts';
import { byId, posthouse, type Schemas } from './posthouse.ts';
import { texts } from './texts.ts';

/* All accounts, for administrators. */

export type Person = Schemas['Person'];
export type AccountMail = Schemas['AccountMailResult'];

export const ROLES: Record<Person['role'], string> = { user: texts.user, admin: texts.administrator };

export const usePeople = ({ enabled = true } = {}) =>
  useQuery({
    queryKey: [...keys.accounts, 'people'],
    queryFn: () => posthouse.get('/api/admin/people'),
    enabled,
  });

export const invite = (body: BodyOf<'/api/admin/people', 'post'>) =>
  posthouse.post('/api/admin/people', { body });
export const createPasswordLink = (id: string) =>
  posthouse.post('/api/admin/people/{id}/password-link', byId(id));
export const sendPasswordLink = (id: string) =>
  posthouse.post('/api/admin/people/{id}/password-mail', byId(id));
export const changePerson = (id: string, body: BodyOf<'/api/admin/people/{id}', 'patch'>) =>
  posthouse.patch('/api/admin/people/{id}', { ...byId(id), body });
