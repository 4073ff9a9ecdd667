import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { tellError } from '../parts/tell.tsx';
import { call } from './http.ts';
import type { Me } from './session.ts';

export interface Person {
  id: string;
  email: string;
  name: string;
  role: Me['role'];
  /** `local`, or an OpenID provider's URL. */
  issuer: string;
  disabled: boolean;
  invited: boolean;
  dateCreated: string;
  dateSignedIn: string | null;
}

export interface Session {
  id: string;
  userAgent: string;
  dateCreated: string;
  dateUsed: string;
  expiresAt: string;
  current: boolean;
}

export interface Token {
  id: string;
  name: string;
  scope: 'read' | 'write';
  dateCreated: string;
  dateUsed: string | null;
  expiresAt: string | null;
}

const PEOPLE = ['people'];
const SESSIONS = ['sessions'];
const TOKENS = ['tokens'];

export const usePeople = () =>
  useQuery({ queryKey: PEOPLE, queryFn: ({ signal }) => call<Person[]>('GET', '/api/admin/people', { signal }) });
export const useSessions = () =>
  useQuery({ queryKey: SESSIONS, queryFn: ({ signal }) => call<Session[]>('GET', '/api/account/sessions', { signal }) });
export const useTokens = () =>
  useQuery({ queryKey: TOKENS, queryFn: ({ signal }) => call<Token[]>('GET', '/api/account/tokens', { signal }) });

export const invite = (person: { email: string; name?: string; role: Me['role'] }) =>
  call<Person & { passwordLink?: string }>('POST', '/api/admin/people', { body: person });
export const makePasswordLink = (id: string) => call<{ link: string; expiresAt: string }>('POST', `/api/admin/people/${id}/password-link`);
export const makeToken = (token: { name: string; scope: Token['scope']; days: number }) =>
  call<Token & { token: string }>('POST', '/api/account/tokens', { body: token });
export const changePassword = (passwords: { currentPassword: string; newPassword: string }) =>
  call<void>('POST', '/api/account/password', { body: passwords });

/** Looks again at everything about people and access. */
export function useLookAgain() {
  const client = useQueryClient();
  return () => Promise.all([PEOPLE, SESSIONS, TOKENS].map((queryKey) => client.invalidateQueries({ queryKey })));
}

export function useChangePerson() {
  const lookAgain = useLookAgain();
  return useMutation({
    mutationFn: ({ id, ...changes }: { id: string; role?: Me['role']; disabled?: boolean; name?: string }) =>
      call<Person>('PATCH', `/api/admin/people/${id}`, { body: changes }),
    onSuccess: lookAgain,
    onError: tellError,
  });
}

export function useEnd(kind: 'sessions' | 'tokens') {
  const lookAgain = useLookAgain();
  return useMutation({
    mutationFn: (id: string) => call<void>('DELETE', `/api/account/${kind}/${id}`),
    onSuccess: lookAgain,
    onError: tellError,
  });
}
