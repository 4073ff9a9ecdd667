import { Button } from '@mantine/core';
import { Link } from 'wouter';
import { PosthouseError } from '../../../client/index.ts';
import { EmptyState } from '../../components/EmptyState.tsx';
import { ErrorState } from '../../components/ErrorState.tsx';
import { fileTexts as texts } from '../../texts/files.ts';

/** Shown in place of a folder that failed to load. */
export function FolderError({ error, retry }: { error: Error; retry: () => void }) {
  if (!(error instanceof PosthouseError) || error.status !== 404)
    return <ErrorState error={error} retry={retry} whole="page" />;
  return (
    <EmptyState title={texts.missingTitle} text={texts.missingText} whole="page">
      <Button component={Link} href="/files">
        {texts.root}
      </Button>
    </EmptyState>
  );
}
