import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { isOutage } from '../api/queries.ts';
import { useMe } from '../api/session.ts';
import { ErrorState } from '../components/ErrorState.tsx';
import { PageLoader } from '../components/PageLoader.tsx';
import { ConflictsProvider } from '../conflicts/ConflictsProvider.tsx';
import { createRefresher } from '../live/refresh.ts';
import { UploadPanel } from '../uploads/UploadPanel.tsx';
import { UploadsProvider } from '../uploads/UploadsProvider.tsx';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import { Pages } from './Pages.tsx';
import { Shell } from './Shell.tsx';
import { SignedOut } from './SignedOut.tsx';

/** The pages for a signed-in person. */
export function App() {
  const me = useMe();
  const client = useQueryClient();
  const [address] = useLocation();
  const [refresher] = useState(() => createRefresher(client));
  const failure = useFailure(me);
  if (me.data === null) return <SignedOut />;
  if (!me.data && failure)
    return <ErrorState error={failure} retry={() => void me.refetch()} whole="window" />;
  if (!me.data) return <PageLoader full />;
  return (
    <ConflictsProvider>
      <UploadsProvider accountId={me.data.id} refresher={refresher}>
        <Shell me={me.data} refresher={refresher}>
          <ErrorBoundary address={address}>
            <Pages me={me.data} />
          </ErrorBoundary>
        </Shell>
        <UploadPanel />
      </UploadsProvider>
    </ConflictsProvider>
  );
}

/** Returns the last error, or the outage during which the query is still retried. It is kept during later attempts. */
function useFailure({ error, failureReason }: ReturnType<typeof useMe>): Error | null {
  const [shown, setShown] = useState<Error | null>(null);
  const failure = error ?? (isOutage(failureReason) ? failureReason : null);
  if (failure && failure !== shown) setShown(failure);
  return failure ?? shown;
}
