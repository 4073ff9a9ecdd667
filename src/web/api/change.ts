import { useMutation, useQueryClient } from '@tanstack/react-query';
import { notifyError } from '../components/notify.tsx';

/** Returns a function that reads the queries below `queryKey` again. */
export function useRefresh(queryKey: readonly string[]) {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey });
}

/** A mutation that runs the given work, reads the queries below `queryKey` again and reports an error. */
export function useChange(queryKey: readonly string[]) {
  return useMutation({
    mutationFn: (work: () => Promise<unknown>) => work(),
    onSettled: useRefresh(queryKey),
    onError: notifyError,
  });
}
