import { Badge, Button } from '@mantine/core';
import { FolderPlus } from 'lucide-react';
import type { FolderDetail } from '../../api/storage.ts';
import { useUploads } from '../../uploads/UploadsProvider.tsx';
import { useFilesPage } from './FilesContext.ts';
import { PathBar } from './folders/PathBar.tsx';
import { texts } from './texts.ts';
import { UploadButtons } from './UploadButtons.tsx';
import { WorkspaceMenu } from './workspaces/WorkspaceMenu.tsx';

interface FolderHeaderProps {
  folderId: string;
  folder: FolderDetail | undefined;
  create(): void;
}

/** The path of the folder, and the buttons that add to it: disabled until the role of the person is known. */
export function FolderHeader({ folderId, folder, create }: FolderHeaderProps) {
  const { workspace, canWrite } = useFilesPage();
  const uploads = useUploads();
  return (
    <header className="files-header">
      <div className="files-place">
        <div className="files-switch">
          <WorkspaceMenu compact />
        </div>
        <PathBar path={folder?.path ?? []} />
      </div>
      {(canWrite || !workspace) && (
        <div className="files-actions">
          <Button
            variant="default"
            leftSection={<FolderPlus size={17} />}
            disabled={!canWrite}
            onClick={create}
          >
            {texts.newFolder}
          </Button>
          <UploadButtons disabled={!canWrite} upload={(files) => uploads.add(files, folderId)} />
        </div>
      )}
      {workspace && !canWrite && (
        <Badge color="gray" size="lg" title={texts.viewerText}>
          {texts.viewOnly}
        </Badge>
      )}
    </header>
  );
}
