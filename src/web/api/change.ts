import { useMutation, useQueryClient } from '@tanstack/react-query';
import { notifyError } from '../components/notify.tsx';

/** Returns a function that refetches the queries below `queryKey`. */
export function useRefresh(queryKey: readonly string[]) {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey });
}

/** A mutation that runs the given work, refetches the queries below `queryKey`, and reports an error. */
export function useChange(queryKey: readonly string[]) {
  return useMutation({
    mutationFn: (work: () => Promise<unknown>) => work(),
    onSettled: useRefresh(queryKey),
    onError: notifyError,
  });
}
