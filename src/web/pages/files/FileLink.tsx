import { Link } from 'wouter';
import { shownName } from '../../../text/shown-name.ts';
import type { FileItem } from '../../api/storage.ts';
import { CutName } from '../../components/CutName.tsx';
import { opening } from './usePanels.ts';

interface FileLinkProps {
  file: FileItem;
  /** The panel that the link opens in the folder of the file. */
  panel: 'preview' | 'details';
}

export const FileLink = ({ file: { id, folderId, originalName }, panel }: FileLinkProps) => (
  <Link
    href={`/files/${folderId}?${panel}=${id}`}
    state={opening(panel)}
    className="row-link"
    title={shownName(originalName)}
  >
    <CutName name={originalName} />
  </Link>
);
