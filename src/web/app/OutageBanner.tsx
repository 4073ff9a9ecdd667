import { notifyManager, useQueryClient } from '@tanstack/react-query';
import { CloudAlert } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { isOutage } from '../api/queries.ts';
import { texts } from './texts.ts';

/** Shown above the last data while the server does not respond. Queries are repeated until it does. */
export function OutageBanner() {
  const cache = useQueryClient().getQueryCache();
  const isOut = useSyncExternalStore(
    (notify) => cache.subscribe(notifyManager.batchCalls(notify)),
    () =>
      cache
        .findAll({ type: 'active' })
        .some(({ state }) => isOutage(state.error) || isOutage(state.fetchFailureReason)),
  );
  return (
    <div role="status" className="outage-place">
      {isOut && (
        <p className="outage">
          <CloudAlert size={16} aria-hidden /> {texts.outage}
        </p>
      )}
    </div>
  );
}
