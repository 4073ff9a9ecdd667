import { Button } from '@mantine/core';
import { Download, FileX } from 'lucide-react';
import { useState } from 'react';
import { shownName } from '../../../../text/shown-name.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { lazyComponent } from '../../../components/lazy-component.tsx';
import { PageLoader } from '../../../components/PageLoader.tsx';
import { texts as common } from '../../../texts.ts';
import { download } from '../actions/download.ts';
import type { Previewed } from './content.ts';
import type { PreviewFailure } from './failure.ts';
import { hasPdfViewer, kindOf } from './kinds.ts';
import { PictureView } from './PictureView.tsx';
import { texts } from './texts.ts';

const TextPreview = lazyComponent(
  async () => (await import('./TextPreview.tsx')).TextPreview,
  <PageLoader />,
);

const PdfView = lazyComponent(async () => (await import('./pdf/PdfView.tsx')).PdfView, <PageLoader />);

interface PreviewContentProps {
  content: Previewed;
  /** Shows another file: 1 = the next, -1 = the previous. */
  go?(step: number): void;
}

/** The content of a file, if the browser can show it without running code from it. */
export function PreviewContent({ content, go }: PreviewContentProps) {
  const [failure, fail] = useState<PreviewFailure>();
  const failUnknown = () => fail('unknown');
  const address = `${content.address}?inline=1`;
  switch (failure ? 'none' : kindOf(content.mimeType)) {
    case 'picture':
      return <PictureView content={content} go={go} fail={fail} />;
    case 'video':
      // biome-ignore lint/a11y/useMediaCaption: recordings of the workspace have no captions
      return <video className="preview-video" src={address} controls onError={failUnknown} />;
    case 'audio':
      // biome-ignore lint/a11y/useMediaCaption: recordings of the workspace have no captions
      return <audio src={address} controls onError={failUnknown} />;
    case 'pdf':
      return hasPdfViewer() ? (
        <iframe className="preview-frame" src={address} title={shownName(content.name)} />
      ) : (
        <PdfView content={content} fail={fail} />
      );
    case 'text':
      return <TextPreview content={content} />;
    default:
      return <NoPreview content={content} failure={failure} />;
  }
}

interface NoPreviewProps {
  content: Previewed;
  failure: PreviewFailure | undefined;
}

const NoPreview = ({ content: { name, address }, failure }: NoPreviewProps) => (
  <EmptyState
    title={name}
    text={failure ? texts.failures[failure] : texts.noPreview}
    icon={<FileX size={28} />}
  >
    <Button leftSection={<Download size={17} />} onClick={() => download([address])}>
      {common.download}
    </Button>
  </EmptyState>
);
