import { QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from './http.ts';
import { ME } from './session.ts';

const MOST_RETRIES = 2;

/** What the app keeps of the server's answers. */
export function createQueries(): QueryClient {
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      onError(error, query) {
        // The session ended meanwhile: asking again who is there shows the way to sign in.
        if (error instanceof ApiError && error.code === 'login_required' && query.queryKey[0] !== ME[0]) {
          void client.invalidateQueries({ queryKey: ME });
        }
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        retry: (failures, error) => failures < MOST_RETRIES && !(error instanceof ApiError && error.status >= 400 && error.status < 500),
      },
    },
  });
  return client;
}
