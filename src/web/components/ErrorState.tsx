import { Button } from '@mantine/core';
import { CloudAlert } from 'lucide-react';
import { PosthouseError } from '../../client/index.ts';
import { EmptyState } from './EmptyState.tsx';
import { texts } from './texts.ts';

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
    <EmptyState title={texts.failed} text={errorMessage(error)} icon={<CloudAlert size={28} />} whole={whole}>
      {retry && (
        <Button variant="default" onClick={retry}>
          {texts.tryAgain}
        </Button>
      )}
    </EmptyState>
  );
}

/** The message of an error. */
export function errorMessage(error: Error): string {
  if (!(error instanceof PosthouseError)) return error.message;
  if (error.code === 'unreachable') return texts.unreachable;
  // The request ID finds the cause of an internal error in the log.
  return error.code === 'internal_error' ? texts.withRequest(error.message, error.requestId) : error.message;
}
