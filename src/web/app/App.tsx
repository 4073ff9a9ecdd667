import { useMe } from '../api/session.ts';
import { Failure } from '../parts/Failure.tsx';
import { Waiting } from '../parts/Waiting.tsx';
import { UploadPanel } from '../uploads/UploadPanel.tsx';
import { UploadsProvider } from '../uploads/Uploads.tsx';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import { Pages } from './Pages.tsx';
import { Shell } from './Shell.tsx';
import { SignedOut } from './SignedOut.tsx';

/** The whole app: who is there decides what is shown. */
export function App() {
  const me = useMe();
  if (me.isPending) return <Waiting full />;
  if (me.isError) return <Failure error={me.error} retry={() => void me.refetch()} whole="window" />;
  if (!me.data) return <SignedOut />;
  return (
    <UploadsProvider accountId={me.data.id}>
      <Shell me={me.data}>
        <ErrorBoundary>
          <Pages me={me.data} />
        </ErrorBoundary>
      </Shell>
      <UploadPanel />
    </UploadsProvider>
  );
}
