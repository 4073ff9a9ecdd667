import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './http.ts';

const MOST_RETRIES = 2;

/** What the app keeps of the server's answers. A refusal is final; what may be a passing trouble is tried again. */
export function createQueries(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        retry: (failures, error) => failures < MOST_RETRIES && !(error instanceof ApiError && error.status >= 400 && error.status < 500),
      },
    },
  });
}
