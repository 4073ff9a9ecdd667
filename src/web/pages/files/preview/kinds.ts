import { isTextType } from '../../../../text/text-type.ts';
import { hasTouch } from '../../../components/has-touch.ts';

/** How content is shown. */
export type PreviewKind = 'picture' | 'video' | 'audio' | 'pdf' | 'text' | 'none';

/** Returns how content of a media type is shown; `none` = it cannot be. */
export function kindOf(mimeType: string): PreviewKind {
  if (mimeType.startsWith('image/')) return 'picture';
  if (mimeType.startsWith('video/')) return 'video';
  if (mimeType.startsWith('audio/')) return 'audio';
  if (mimeType === 'application/pdf') return 'pdf';
  return isTextType(mimeType) ? 'text' : 'none';
}

/**
 * Reports whether the browser shows PDF files in a frame. Mobile browsers can report a viewer that shows the first
 * page only.
 */
export const hasPdfViewer = () => navigator.pdfViewerEnabled && !hasTouch();

/** Reports whether content of a media type can be shown. */
export const hasPreview = (mimeType: string) => kindOf(mimeType) !== 'none';
