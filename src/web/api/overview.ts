import { useQuery } from '@tanstack/react-query';
import { keys } from './keys.ts';
import { posthouse, type Schemas } from './posthouse.ts';
import { whileOutage } from './queries.ts';

export type Overview = Schemas['Overview'];
/** The result of a check of the server. */
export type Check = Overview['parts'][number];

export const useOverview = () =>
  useQuery({
    queryKey: [...keys.overview, 'parts'],
    queryFn: () => posthouse.get('/api/admin/overview'),
    refetchInterval: (query) => whileOutage(query) || 60_000,
  });
