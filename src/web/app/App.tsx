import { useMe } from '../api/session.ts';
import { ErrorState } from '../components/ErrorState.tsx';
import { PageLoader } from '../components/PageLoader.tsx';
import { ConflictsProvider } from '../conflicts/ConflictsProvider.tsx';
import { UploadPanel } from '../uploads/UploadPanel.tsx';
import { UploadsProvider } from '../uploads/UploadsProvider.tsx';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import { Pages } from './Pages.tsx';
import { Shell } from './Shell.tsx';
import { SignedOut } from './SignedOut.tsx';

/** The pages for a signed-in person. */
export function App() {
  const me = useMe();
  if (me.data === null) return <SignedOut />;
  if (!me.data && me.error)
    return <ErrorState error={me.error} retry={() => void me.refetch()} whole="window" />;
  if (!me.data) return <PageLoader full />;
  return (
    <ConflictsProvider>
      <UploadsProvider accountId={me.data.id}>
        <Shell me={me.data}>
          <ErrorBoundary>
            <Pages me={me.data} />
          </ErrorBoundary>
        </Shell>
        <UploadPanel />
      </UploadsProvider>
    </ConflictsProvider>
  );
}
