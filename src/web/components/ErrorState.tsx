import { Button } from '@mantine/core';
import { CloudAlert } from 'lucide-react';
import { PosthouseError } from '../../client/index.ts';
import { texts as common } from '../texts.ts';
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
    <EmptyState
      title={isUnreachable(error) ? texts.noConnection : common.somethingWrong}
      text={errorMessage(error)}
      icon={<CloudAlert size={28} />}
      whole={whole}
    >
      {retry && (
        <Button variant="default" onClick={retry}>
          {texts.tryAgain}
        </Button>
      )}
    </EmptyState>
  );
}

const isUnreachable = (error: Error) => error instanceof PosthouseError && error.code === 'unreachable';

export function errorMessage(error: Error): string {
  if (!(error instanceof PosthouseError)) return error.message;
  if (isUnreachable(error)) return navigator.onLine ? texts.unreachable : texts.offline;
  // The request ID finds the cause of an internal error in the log.
  return error.code === 'internal_error' ? texts.withRequest(error.message, error.requestId) : error.message;
}
