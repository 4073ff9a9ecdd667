import { QueryClient } from '@tanstack/react-query';
import { PosthouseError } from '../../client/index.ts';

const MAX_RETRIES = 2;

/** Creates the cache of answers. Retries a query unless the server refused it (4xx). */
export function createQueries(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        retry: (failures, error) =>
          failures < MAX_RETRIES &&
          !(error instanceof PosthouseError && error.status >= 400 && error.status < 500),
      },
    },
  });
}
