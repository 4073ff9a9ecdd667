import { useMutation, useQueryClient } from '@tanstack/react-query';
import { notifyError } from '../components/notify.tsx';

/**
 * A mutation that runs the given work, reads the queries below `queryKey` again and shows an error as a
 * notification.
 */
export function useChange(queryKey: readonly string[]) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (work: () => Promise<unknown>) => work(),
    onSettled: () => client.invalidateQueries({ queryKey }),
    onError: notifyError,
  });
}
