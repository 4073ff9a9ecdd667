import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Download, FileX } from 'lucide-react';
import { useState } from 'react';
import { posthouse } from '../../api/posthouse.ts';
import { contentAddress, type FileMetadata } from '../../api/storage.ts';
import { EmptyState } from '../../components/EmptyState.tsx';
import { ErrorState } from '../../components/ErrorState.tsx';
import { PageLoader } from '../../components/PageLoader.tsx';
import { formatBytes } from '../../formats.ts';
import { download } from './download.ts';

const MAX_TEXT_BYTES = 500_000;

/** The content of a file, if the browser can show it without running code from it. */
export function PreviewContent({ file }: { file: FileMetadata }) {
  const [failed, setFailed] = useState(false);
  const address = contentAddress(file.id, { inline: true });
  const kind = failed ? 'none' : kindOf(file.mimeType);
  if (kind === 'image')
    return (
      <img className="preview-image" src={address} alt={file.originalName} onError={() => setFailed(true)} />
    );
  if (kind === 'video') {
    // biome-ignore lint/a11y/useMediaCaption: recordings of the workspace have no captions
    return <video className="preview-video" src={address} controls onError={() => setFailed(true)} />;
  }
  if (kind === 'audio') {
    // biome-ignore lint/a11y/useMediaCaption: recordings of the workspace have no captions
    return <audio src={address} controls onError={() => setFailed(true)} />;
  }
  if (kind === 'pdf') return <iframe className="preview-frame" src={address} title={file.originalName} />;
  if (kind === 'text') return <TextPreview file={file} />;
  return (
    <EmptyState
      title={file.originalName}
      text={failed ? 'The preview failed. You can download the file.' : 'No preview for this file type.'}
      icon={<FileX size={28} />}
    >
      <Button leftSection={<Download size={17} />} onClick={() => download([contentAddress(file.id)])}>
        Download
      </Button>
    </EmptyState>
  );
}

function kindOf(type: string): 'image' | 'video' | 'audio' | 'pdf' | 'text' | 'none' {
  if (type === 'image/svg+xml') return 'text';
  if (type.startsWith('image/')) return 'image';
  if (type.startsWith('video/')) return 'video';
  if (type.startsWith('audio/')) return 'audio';
  if (type === 'application/pdf') return 'pdf';
  return /^text\/|json|xml|javascript|yaml|x-sh/.test(type) ? 'text' : 'none';
}

function TextPreview({ file }: { file: FileMetadata }) {
  const text = useQuery({
    queryKey: ['text', file.id, file.sha256],
    queryFn: async ({ signal }) => {
      const headers: Record<string, string> =
        file.sizeBytes > MAX_TEXT_BYTES ? { Range: `bytes=0-${MAX_TEXT_BYTES - 1}` } : {};
      const response = await posthouse.send(contentAddress(file.id), { headers, signal });
      return new TextDecoder().decode(await response.arrayBuffer());
    },
  });
  if (text.isPending) return <PageLoader />;
  if (text.isError) return <ErrorState error={text.error} retry={() => void text.refetch()} />;
  return (
    <div className="preview-text">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
      <pre tabIndex={0}>{text.data}</pre>
      {file.sizeBytes > MAX_TEXT_BYTES && (
        <p className="files-note">{`Only the first ${formatBytes(MAX_TEXT_BYTES)} are shown.`}</p>
      )}
    </div>
  );
}
