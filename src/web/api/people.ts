import { useQuery } from '@tanstack/react-query';
import type { BodyOf } from '../../client/index.ts';
import { useChange, useRefresh } from './change.ts';
import { keys } from './keys.ts';
import { byId, posthouse, type Schemas } from './posthouse.ts';
import { texts } from './texts.ts';

export type Person = Schemas['Person'];
export type AccountMail = Schemas['AccountMailResult'];
export type Session = Schemas['Session'];
export type Token = Schemas['Token'];

export const ROLES: Record<Person['role'], string> = { user: texts.user, admin: texts.administrator };
export const SCOPES: Record<Token['scope'], string> = { read: texts.readOnly, write: texts.readWrite };

export const usePeople = ({ enabled = true } = {}) =>
  useQuery({
    queryKey: [...keys.accounts, 'people'],
    queryFn: () => posthouse.get('/api/admin/people'),
    enabled,
  });
export const useSessions = () =>
  useQuery({
    queryKey: [...keys.accounts, 'sessions'],
    queryFn: () => posthouse.get('/api/account/sessions'),
  });
export const useTokens = () =>
  useQuery({ queryKey: [...keys.accounts, 'tokens'], queryFn: () => posthouse.get('/api/account/tokens') });

export const invite = (body: BodyOf<'/api/admin/people', 'post'>) =>
  posthouse.post('/api/admin/people', { body });
export const createPasswordLink = (id: string) =>
  posthouse.post('/api/admin/people/{id}/password-link', byId(id));
export const sendPasswordLink = (id: string) =>
  posthouse.post('/api/admin/people/{id}/password-mail', byId(id));
export const createToken = (body: BodyOf<'/api/account/tokens', 'post'>) =>
  posthouse.post('/api/account/tokens', { body });
export const changeAccount = (body: BodyOf<'/api/account', 'patch'>) =>
  posthouse.patch('/api/account', { body });
export const changePassword = (body: BodyOf<'/api/account/password', 'post'>) =>
  posthouse.post('/api/account/password', { body });

export const changePerson = (id: string, body: BodyOf<'/api/admin/people/{id}', 'patch'>) =>
  posthouse.patch('/api/admin/people/{id}', { ...byId(id), body });
export const endSession = (id: string) => posthouse.delete('/api/account/sessions/{id}', byId(id));
export const revokeToken = (id: string) => posthouse.delete('/api/account/tokens/{id}', byId(id));

/** Changes accounts, sessions or tokens, and then refetches them. */
export const useAccountChange = () => useChange(keys.accounts);
export const useRefreshAccounts = () => useRefresh(keys.accounts);
