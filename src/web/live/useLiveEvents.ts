import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { keys } from '../api/keys.ts';
import type { Refresher } from './refresh.ts';
import { shareEvents } from './share-events.ts';

/** Keeps shown data up to date with changes by other tabs and other people. */
export function useLiveEvents(accountId: string, { changed, changedAll }: Refresher): void {
  const client = useQueryClient();
  useEffect(
    () =>
      shareEvents(accountId, {
        opened: changedAll,
        received: changed,
        // The session may have ended.
        lost: () => void client.invalidateQueries({ queryKey: keys.me }),
      }),
    [client, accountId, changed, changedAll],
  );
}
