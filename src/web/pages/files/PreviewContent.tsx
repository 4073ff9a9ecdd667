import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Download, FileX } from 'lucide-react';
import { useState } from 'react';
import { posthouse } from '../../api/posthouse.ts';
import { EmptyState } from '../../components/EmptyState.tsx';
import { ErrorState } from '../../components/ErrorState.tsx';
import { PageLoader } from '../../components/PageLoader.tsx';
import { formatBytes } from '../../formats.ts';
import { download } from './download.ts';

const MAX_TEXT_BYTES = 500_000;

/** Content that is shown. */
export interface Previewed {
  name: string;
  mimeType: string;
  sizeBytes: number;
  sha256: string;
  /** Of the bytes. */
  address: string;
}

/** The content of a file, if the browser can show it without running code from it. */
export function PreviewContent({ content }: { content: Previewed }) {
  const [failed, setFailed] = useState(false);
  const { name } = content;
  const address = `${content.address}?inline=1`;
  const kind = failed ? 'none' : kindOf(content.mimeType);
  if (kind === 'image')
    return <img className="preview-image" src={address} alt={name} onError={() => setFailed(true)} />;
  if (kind === 'video') {
    // biome-ignore lint/a11y/useMediaCaption: recordings of the workspace have no captions
    return <video className="preview-video" src={address} controls onError={() => setFailed(true)} />;
  }
  if (kind === 'audio') {
    // biome-ignore lint/a11y/useMediaCaption: recordings of the workspace have no captions
    return <audio src={address} controls onError={() => setFailed(true)} />;
  }
  if (kind === 'pdf') return <iframe className="preview-frame" src={address} title={name} />;
  if (kind === 'text') return <TextPreview content={content} />;
  return (
    <EmptyState
      title={name}
      text={failed ? 'The preview failed. You can download the file.' : 'No preview for this file type.'}
      icon={<FileX size={28} />}
    >
      <Button leftSection={<Download size={17} />} onClick={() => download([content.address])}>
        Download
      </Button>
    </EmptyState>
  );
}

/** Reports whether content of a type can be shown. */
export const hasPreview = (mimeType: string) => kindOf(mimeType) !== 'none';

function kindOf(type: string): 'image' | 'video' | 'audio' | 'pdf' | 'text' | 'none' {
  if (type === 'image/svg+xml') return 'text';
  if (type.startsWith('image/')) return 'image';
  if (type.startsWith('video/')) return 'video';
  if (type.startsWith('audio/')) return 'audio';
  if (type === 'application/pdf') return 'pdf';
  return /^text\/|json|xml|javascript|yaml|x-sh/.test(type) ? 'text' : 'none';
}

function TextPreview({ content: { address, sizeBytes, sha256 } }: { content: Previewed }) {
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
