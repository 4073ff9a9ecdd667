import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { PosthouseError } from '../../client/index.ts';
import { notifyError } from '../components/notify.tsx';
import { removeSharedFiles } from '../uploads/shared-files.ts';
import { posthouse, type Schemas, SIGNED_OUT } from './posthouse.ts';

export type Me = Schemas['Me'];

const ME = ['me'] as const;

/** The signed-in account (null = none), and whether its session ended while the app was open. */
export function useMe() {
  const client = useQueryClient();
  const [hasEnded, setHasEnded] = useState(false);
  useEffect(() => {
    const leave = () => {
      if (client.getQueryData(ME)) setHasEnded(true);
      client.setQueryData(ME, null);
    };
    window.addEventListener(SIGNED_OUT, leave);
    return () => window.removeEventListener(SIGNED_OUT, leave);
  }, [client]);
  const me = useQuery({
    queryKey: ME,
    queryFn: async ({ signal }) => {
      try {
        return await posthouse.get('/api/me', { signal });
      } catch (error) {
        if (error instanceof PosthouseError && error.status === 401) return null;
        throw error;
      }
    },
    staleTime: 60_000,
  });
  return { me, hasEnded };
}

/** Returns the address of the sign-in that leads back to this page. */
export function loginAddress(): string {
  return `/login?returnTo=${encodeURIComponent(location.pathname + location.search)}`;
}

export function useWelcome() {
  return useQuery({
    queryKey: ['welcome'],
    queryFn: () => posthouse.get('/api/welcome'),
    // The first account can be created at any moment.
    refetchInterval: (query) => (query.state.data?.needsFirstAccount ? 5_000 : false),
  });
}

/**
 * Ends the session and follows the answer: to the sign-out of the OpenID provider if it has one, else to the page
 * for visitors.
 */
export function useSignOut() {
  return useMutation({
    mutationFn: () => posthouse.post('/logout'),
    onSuccess: async (answer) => {
      // The next person on this device must not see them.
      await removeSharedFiles().catch(() => {});
      location.assign(answer.location);
    },
    onError: notifyError,
  });
}
