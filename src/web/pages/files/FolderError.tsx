import { Button } from '@mantine/core';
import { Link } from 'wouter';
import { PosthouseError } from '../../../client/index.ts';
import { EmptyState } from '../../components/EmptyState.tsx';
import { ErrorState } from '../../components/ErrorState.tsx';

/** Shown in place of a folder that failed to load. */
export function FolderError({ error, retry }: { error: Error; retry: () => void }) {
  if (!(error instanceof PosthouseError) || error.status !== 404)
    return <ErrorState error={error} retry={retry} whole="page" />;
  return (
    <EmptyState title="Folder not found" text="It was deleted, or you do not have access to it." whole="page">
      <Button component={Link} href="/files">
        My files
      </Button>
    </EmptyState>
  );
}
