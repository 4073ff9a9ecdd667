import { useWindowEvent } from '@mantine/hooks';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { PosthouseError } from '../../client/index.ts';
import { removeDraft } from '../components/drafts.ts';
import { notifyError } from '../components/notify.tsx';
import { clearSharedFiles } from '../uploads/shared-files.ts';
import { keys } from './keys.ts';
import { posthouse, type Schemas, SIGNED_OUT } from './posthouse.ts';

export type Me = Schemas['Me'];

/** Reads the signed-in account; null = its session has ended. */
export const meQuery = queryOptions({
  queryKey: keys.me,
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

/** The signed-in account; null = its session has ended. */
export function useMe() {
  const client = useQueryClient();
  useWindowEvent(SIGNED_OUT, () => client.setQueryData(meQuery.queryKey, null));
  return useQuery(meQuery);
}

/**
 * The address of the server in links for others, which may differ from that of this page. Servers of earlier versions,
 * during an update, do not return it.
 */
export const usePublicUrl = () => useMe().data?.publicUrl ?? location.origin;

/** Whether accounts and passwords are on this server or at an OpenID provider. */
export const useWelcome = () =>
  useQuery({ queryKey: ['welcome'], queryFn: () => posthouse.get('/api/welcome') });

/** Returns the address of the sign-in page, which then returns to this page. */
export function loginAddress(): string {
  return `/login?returnTo=${encodeURIComponent(location.pathname + location.search)}`;
}

/**
 * Ends the session and follows the response: to the sign-out of the OpenID provider if it has one, else to the page
 * for visitors.
 */
export function useSignOut() {
  return useMutation({
    mutationFn: () => posthouse.post('/logout'),
    onSuccess: async (response) => {
      // The next person on this device must not see what is left in the browser.
      removeDraft();
      await clearSharedFiles().catch(() => {});
      location.assign(response.location);
    },
    onError: notifyError,
  });
}
