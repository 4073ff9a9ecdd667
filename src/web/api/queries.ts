import { type Query, QueryClient } from '@tanstack/react-query';
import { PosthouseError } from '../../client/index.ts';

const MAX_RETRIES = 2;
/** Interval at which queries are repeated during an outage. */
const OUTAGE_MS = 3_000;

/** Reports whether the server did not answer, or a proxy in front of it did. */
export const isOutage = (error: Error | null) =>
  error instanceof PosthouseError && ['unreachable', 'unknown', 'not_ready'].includes(error.code);

/** The `refetchInterval` of queries that end an outage by themselves. */
export const whileOutage = ({ state: { error } }: Pick<Query<unknown>, 'state'>) =>
  isOutage(error) ? OUTAGE_MS : false;

/** Creates the cache of answers. Retries a query unless the server refused it (4xx). */
export function createQueries(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      // Without it, requests wait for the network without an error, and pages do not say what they wait for.
      mutations: { networkMode: 'always' },
      queries: {
        networkMode: 'always',
        refetchOnReconnect: true,
        staleTime: 5_000,
        refetchInterval: whileOutage,
        retry: (failures, error) =>
          failures < MAX_RETRIES &&
          !(error instanceof PosthouseError && error.status >= 400 && error.status < 500),
      },
    },
  });
}
