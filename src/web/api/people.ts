import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { BodyOf } from '../../client/index.ts';
import { notifyError } from '../components/notify.tsx';
import { byId, posthouse, type Schemas } from './posthouse.ts';

export type Person = Schemas['Person'];
export type Session = Schemas['Session'];
export type Token = Schemas['Token'];

export const ROLES: Record<Person['role'], string> = { user: 'User', admin: 'Administrator' };
export const SCOPES: Record<Token['scope'], string> = { read: 'read only', write: 'read and write' };

const PEOPLE = ['people'];
const SESSIONS = ['sessions'];
const TOKENS = ['tokens'];

export const usePeople = () =>
  useQuery({ queryKey: PEOPLE, queryFn: ({ signal }) => posthouse.get('/api/admin/people', { signal }) });
export const useSessions = () =>
  useQuery({
    queryKey: SESSIONS,
    queryFn: ({ signal }) => posthouse.get('/api/account/sessions', { signal }),
  });
export const useTokens = () =>
  useQuery({ queryKey: TOKENS, queryFn: ({ signal }) => posthouse.get('/api/account/tokens', { signal }) });

export const invite = (body: BodyOf<'/api/admin/people', 'post'>) =>
  posthouse.post('/api/admin/people', { body });
export const makePasswordLink = (id: string) =>
  posthouse.post('/api/admin/people/{id}/password-link', byId(id));
export const makeToken = (body: BodyOf<'/api/account/tokens', 'post'>) =>
  posthouse.post('/api/account/tokens', { body });
export const changePassword = (body: BodyOf<'/api/account/password', 'post'>) =>
  posthouse.post('/api/account/password', { body });

/** Returns a function that reads accounts, sessions and tokens again. */
export function useLookAgain() {
  const client = useQueryClient();
  return () =>
    Promise.all([PEOPLE, SESSIONS, TOKENS].map((queryKey) => client.invalidateQueries({ queryKey })));
}

export function useChangePerson() {
  const lookAgain = useLookAgain();
  return useMutation({
    mutationFn: ({ id, ...body }: { id: string } & BodyOf<'/api/admin/people/{id}', 'patch'>) =>
      posthouse.patch('/api/admin/people/{id}', { ...byId(id), body }),
    onSuccess: lookAgain,
    onError: notifyError,
  });
}

export function useEnd(kind: 'sessions' | 'tokens') {
  const lookAgain = useLookAgain();
  return useMutation({
    mutationFn: (id: string) => posthouse.delete(`/api/account/${kind}/{id}`, byId(id)),
    onSuccess: lookAgain,
    onError: notifyError,
  });
}
