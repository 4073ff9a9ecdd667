import { useQuery } from '@tanstack/react-query';
import { posthouse } from '../../../api/posthouse.ts';
import { ErrorState } from '../../../components/ErrorState.tsx';
import { PageLoader } from '../../../components/PageLoader.tsx';
import { formatBytes } from '../../../formats.ts';
import type { Previewed } from './content.ts';

const MAX_TEXT_BYTES = 524_288;

export function TextPreview({ content: { address, sizeBytes, sha256 } }: { content: Previewed }) {
  const text = useQuery({
    queryKey: ['text', address, sha256],
    queryFn: async ({ signal }) => {
      const headers: Record<string, string> =
        sizeBytes > MAX_TEXT_BYTES ? { Range: `bytes=0-${MAX_TEXT_BYTES - 1}` } : {};
      const response = await posthouse.send(address, { headers, signal });
      return new TextDecoder().decode(await response.arrayBuffer());
    },
  });
  if (text.isPending) return <PageLoader />;
  if (text.isError) return <ErrorState error={text.error} retry={() => void text.refetch()} />;
  return (
    <div className="preview-text">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
      <pre tabIndex={0}>{text.data}</pre>
      {sizeBytes > MAX_TEXT_BYTES && (
        <p className="files-note">{`Only the first ${formatBytes(MAX_TEXT_BYTES)} are shown.`}</p>
      )}
    </div>
  );
}
