import { type Query, QueryClient } from '@tanstack/react-query';
import { PosthouseError } from '../../client/index.ts';

const MAX_RETRIES = 2;
/** Interval at which queries are repeated during an outage. */
const OUTAGE_MS = 3_000;

/** Reports whether the server was down: it did not respond, or a proxy responded for it. */
export const isOutage = (error: Error | null) =>
  error instanceof PosthouseError && ['unreachable', 'unknown', 'not_ready'].includes(error.code);

/** The `refetchInterval` of queries that are repeated until an outage ends. */
export const whileOutage = ({ state: { error } }: Pick<Query<unknown>, 'state'>) =>
  isOutage(error) ? OUTAGE_MS : false;

/** Creates the query client. It retries a query unless the server refused it (4xx). */
export function createQueries(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      // By default, requests without a network wait and report no error, so that pages cannot show why they wait.
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
