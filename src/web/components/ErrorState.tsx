import { Button } from '@mantine/core';
import { CloudAlert } from 'lucide-react';
import { PosthouseError } from '../../client/index.ts';
import { common } from '../texts/common.ts';
import { EmptyState } from './EmptyState.tsx';

/** Shown in place of content that failed to load. */
export function ErrorState({
  error,
  retry,
  whole,
}: {
  error: Error;
  retry?: () => void;
  whole?: 'page' | 'window';
}) {
  return (
    <EmptyState
      title={common.error.title}
      text={errorMessage(error)}
      icon={<CloudAlert size={28} />}
      whole={whole}
    >
      {retry && (
        <Button variant="default" onClick={retry}>
          {common.error.retry}
        </Button>
      )}
    </EmptyState>
  );
}

/** The message of an error, with the request ID of a server error. */
export function errorMessage(error: Error): string {
  if (!(error instanceof PosthouseError)) return error.message;
  if (error.code === 'unreachable') return common.error.unreachable;
  return error.requestId && error.status >= 500
    ? `${error.message} (${common.error.requestId} ${error.requestId})`
    : error.message;
}
