import { Skeleton, Stack } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { texts as common } from '../texts.ts';
import { ErrorState } from './ErrorState.tsx';

export interface QueryContentProps<Data> {
  query: Pick<UseQueryResult<Data>, 'data' | 'error'> & { refetch(): Promise<unknown> };
  children: (data: Data) => ReactNode;
}

/** Renders the data of a query, a placeholder while it loads, or its error. */
export function QueryContent<Data>({ query, children }: QueryContentProps<Data>) {
  if (query.data !== undefined) return children(query.data);
  if (query.error) return <ErrorState error={query.error} retry={() => void query.refetch()} />;
  return (
    <Stack gap="xs" p="md" role="status" aria-label={common.loading}>
      <Skeleton height={18} width="60%" />
      <Skeleton height={18} width="80%" />
      <Skeleton height={18} width="45%" />
    </Stack>
  );
}
