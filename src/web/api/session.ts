import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { tellError } from '../parts/tell.tsx';
import { ApiError, call, SIGNED_OUT } from './http.ts';

export interface Me {
  id: string;
  email: string;
  name: string;
  role: 'admin' | 'user';
  /** Null on a server that keeps no files. */
  workspaceId: string | null;
  rootFolderId: string | null;
}

const ME = ['me'] as const;

/** Who is signed in; null = nobody. */
export function useMe() {
  const client = useQueryClient();
  useEffect(() => {
    const leave = () => client.setQueryData(ME, null);
    window.addEventListener(SIGNED_OUT, leave);
    return () => window.removeEventListener(SIGNED_OUT, leave);
  }, [client]);
  return useQuery({
    queryKey: ME,
    queryFn: async ({ signal }) => {
      try {
        return await call<Me>('GET', '/api/me', { signal });
      } catch (error) {
        if (error instanceof ApiError && error.status === 401) return null;
        throw error;
      }
    },
    staleTime: 60_000,
  });
}

/** Where to go to sign in and come back to this page. */
export function loginAddress(): string {
  return `/login?returnTo=${encodeURIComponent(location.pathname + location.search)}`;
}

/** What a visitor may know of the server before signing in. */
export interface Welcome {
  /** There is no administrator yet. */
  needsFirstAccount: boolean;
  /** Accounts and their passwords are kept here, not at an OpenID provider. */
  localAccounts: boolean;
}

export function useWelcome() {
  return useQuery({
    queryKey: ['welcome'],
    queryFn: ({ signal }) => call<Welcome>('GET', '/api/welcome', { signal }),
    // Somebody may be making the first account just now.
    refetchInterval: (query) => (query.state.data?.needsFirstAccount ? 5_000 : false),
  });
}

/** Ends the session, and then the one at the OpenID provider where it offers that; else the page for visitors is next. */
export function useSignOut() {
  return useMutation({
    mutationFn: () => call<{ location: string }>('POST', '/logout'),
    onSuccess: (answer) => location.assign(answer.location),
    onError: tellError,
  });
}
