import type { FileMetadata } from '../../../api/storage.ts';
import { type FileVersion, versionAddress } from '../../../api/versions.ts';
import { Dialog } from '../../../components/Dialog.tsx';
import { formatExact } from '../../../formats.ts';
import { PreviewBody } from '../preview/PreviewBody.tsx';
import { PreviewContent } from '../preview/PreviewContent.tsx';
import { texts } from './texts.ts';

interface VersionPreviewProps {
  file: FileMetadata;
  version: FileVersion;
  close(): void;
}

/** A version of a file, in the whole window. */
export const VersionPreview = ({ file, version, close }: VersionPreviewProps) => (
  <Dialog
    fullScreen
    close={close}
    title={texts.versionTitle(file.originalName, formatExact(version.dateCreated))}
    classNames={{ content: 'version-preview', body: 'version-body' }}
  >
    <PreviewBody>
      <PreviewContent
        content={{ ...version, name: file.originalName, address: versionAddress(file.id, version.id) }}
      />
    </PreviewBody>
  </Dialog>
);
