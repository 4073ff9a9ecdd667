import { Button } from '@mantine/core';
import { CloudAlert } from 'lucide-react';
import { ApiError } from '../api/http.ts';
import { common } from '../texts/common.ts';
import { Nothing } from './Nothing.tsx';

/** Something could not be loaded: the server's own sentence, and a button to try again. */
export function Failure({ error, retry, whole }: { error: Error; retry?: () => void; whole?: 'page' | 'window' }) {
  return (
    <Nothing title={common.error.title} text={sentenceOf(error)} icon={<CloudAlert size={28} />} whole={whole}>
      {retry && (
        <Button variant="default" onClick={retry}>
          {common.error.retry}
        </Button>
      )}
    </Nothing>
  );
}

/** What to tell a person about an error. */
export function sentenceOf(error: Error): string {
  if (!(error instanceof ApiError)) return error.message;
  if (error.code === 'unreachable') return common.error.unreachable;
  return error.requestId && error.status >= 500 ? `${error.message} (${common.error.requestId} ${error.requestId})` : error.message;
}
