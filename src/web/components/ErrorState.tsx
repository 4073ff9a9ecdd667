import { Button } from '@mantine/core';
import { CloudAlert } from 'lucide-react';
import { PosthouseError } from '../../client/index.ts';
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
      title="Something went wrong"
      text={errorMessage(error)}
      icon={<CloudAlert size={28} />}
      whole={whole}
    >
      {retry && (
        <Button variant="default" onClick={retry}>
          Try again
        </Button>
      )}
    </EmptyState>
  );
}

/** The message of an error. */
export function errorMessage(error: Error): string {
  if (!(error instanceof PosthouseError)) return error.message;
  if (error.code === 'unreachable')
    return 'Cannot reach the server. Check that it is running and that you are online.';
  // The request ID finds the cause of an internal error in the log.
  return error.code === 'internal_error' ? `${error.message} (request ${error.requestId})` : error.message;
}
