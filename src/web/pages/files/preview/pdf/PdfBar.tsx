import { Minus, Plus } from 'lucide-react';
import { IconButton } from '../../../../components/IconButton.tsx';
import { texts } from '../texts.ts';
import type { Zoom } from './useZoom.ts';

interface PdfBarProps {
  page: number;
  count: number;
  zoom: Zoom;
}

/** The page number, and the zoom buttons. */
export const PdfBar = ({ page, count, zoom }: PdfBarProps) => (
  <div className="pdf-bar">
    <span title={texts.page(page, count)}>
      {page} / {count}
    </span>
    {/* A disabled button would lose the focus. */}
    <IconButton
      label={texts.zoomOut}
      aria-disabled={!zoom.canReduce}
      data-disabled={!zoom.canReduce || undefined}
      onClick={zoom.reduce}
      icon={<Minus size={18} />}
    />
    <IconButton
      label={texts.zoomIn}
      aria-disabled={!zoom.canEnlarge}
      data-disabled={!zoom.canEnlarge || undefined}
      onClick={zoom.enlarge}
      icon={<Plus size={18} />}
    />
  </div>
);
