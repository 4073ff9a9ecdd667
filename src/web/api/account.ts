import { useQuery } from '@tanstack/react-query';
import type { BodyOf } from '../../client/index.ts';
import { useChange, useRefresh } from './change.ts';
import { keys } from './keys.ts';
import { byId, posthouse, type Schemas } from './posthouse.ts';
import { texts } from './texts.ts';

/* The account of the signed-in person. */

export type Session = Schemas['Session'];
export type Token = Schemas['Token'];

export const SCOPES: Record<Token['scope'], string> = { read: texts.readOnly, write: texts.readWrite };

export const useSessions = () =>
  useQuery({
    queryKey: [...keys.accounts, 'sessions'],
    queryFn: () => posthouse.get('/api/account/sessions'),
  });
export const useTokens = () =>
  useQuery({ queryKey: [...keys.accounts, 'tokens'], queryFn: () => posthouse.get('/api/account/tokens') });

export const createToken = (body: BodyOf<'/api/account/tokens', 'post'>) =>
  posthouse.post('/api/account/tokens', { body });
export const changeAccount = (body: BodyOf<'/api/account', 'patch'>) =>
  posthouse.patch('/api/account', { body });
export const changePassword = (body: BodyOf<'/api/account/password', 'post'>) =>
  posthouse.post('/api/account/password', { body });

export const endSession = (id: string) => posthouse.delete('/api/account/sessions/{id}', byId(id));
export const revokeToken = (id: string) => posthouse.delete('/api/account/tokens/{id}', byId(id));

/** Changes accounts, sessions or tokens, and then refetches them. */
export const useAccountChange = () => useChange(keys.accounts);
export const useRefreshAccounts = () => useRefresh(keys.accounts);
