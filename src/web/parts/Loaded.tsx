import { Skeleton, Stack } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { common } from '../texts/common.ts';
import { Failure } from './Failure.tsx';

/** Shows what was asked for: lines in grey while it comes, a sentence when it does not. */
export function Loaded<Data>({ query, children }: { query: UseQueryResult<Data>; children: (data: Data) => ReactNode }) {
  if (query.data !== undefined) return children(query.data);
  if (query.isError) return <Failure error={query.error} retry={() => void query.refetch()} />;
  return (
    <Stack gap="xs" p="md" role="status" aria-label={common.loading}>
      <Skeleton height={18} width="60%" />
      <Skeleton height={18} width="80%" />
      <Skeleton height={18} width="45%" />
    </Stack>
  );
}
