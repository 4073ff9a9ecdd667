import { Group, Modal, Text } from '@mantine/core';
import { getHotkeyHandler } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight, Download, Share2, X } from 'lucide-react';
import { contentAddress, type FileMetadata, getFile, keys } from '../../api/storage.ts';
import { CutName } from '../../components/CutName.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { QueryContent } from '../../components/QueryContent.tsx';
import { formatBytes, formatType } from '../../formats.ts';
import { download } from './download.ts';
import type { Entry } from './entries.ts';
import { detailsLabel } from './entry-actions.tsx';
import { useFilesPage } from './FilesContext.ts';
import { PreviewContent } from './PreviewContent.tsx';

interface PreviewProps {
  id: string;
  /** The entries that Next and Previous go through. */
  entries: readonly Entry[];
  /** Opens a file in a panel; null closes the panel. */
  show(panel: 'preview' | 'details', id: string | null): void;
}

/** A file in the whole window; arrow keys show the next and previous file. */
export function Preview({ id, entries, show }: PreviewProps) {
  const file = useQuery({ queryKey: keys.file(id), queryFn: () => getFile(id) });
  const files = entries.filter(({ kind }) => kind === 'file');
  const index = files.findIndex((entry) => entry.id === id);
  const neighbor = (step: number) => (index < 0 ? undefined : files[index + step]);
  const go = (step: number) => {
    const target = neighbor(step);
    if (target) show('preview', target.id);
  };
  const handleKey = getHotkeyHandler([
    ['ArrowRight', () => go(1)],
    ['ArrowLeft', () => go(-1)],
  ]);
  const title = file.data?.originalName ?? 'Loading';
  return (
    <Modal.Root
      opened
      fullScreen
      onClose={() => show('preview', null)}
      transitionProps={{ duration: 120 }}
      onKeyDown={(event) => {
        // Players use the arrow keys themselves.
        if (!(event.target as HTMLElement).closest('video, audio')) handleKey(event);
      }}
    >
      <Modal.Content aria-label={title}>
        <Modal.Body p={0} className="preview">
          <header className="preview-header">
            <Title
              title={title}
              file={file.data}
              position={index < 0 ? '' : ` · ${index + 1} / ${files.length}`}
            />
            <PreviewButtons
              id={id}
              hasPrevious={neighbor(-1) !== undefined}
              hasNext={neighbor(1) !== undefined}
              go={go}
              show={show}
            />
          </header>
          <div className="preview-body">
            <QueryContent query={file}>
              {(data) => (
                <PreviewContent
                  key={`${data.id} ${data.sha256}`}
                  content={{ ...data, name: data.originalName, address: contentAddress(data.id) }}
                />
              )}
            </QueryContent>
          </div>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

interface TitleProps {
  title: string;
  file: FileMetadata | undefined;
  /** Position among the files of the folder. */
  position: string;
}

function Title({ title, file, position }: TitleProps) {
  return (
    <div className="preview-title">
      <Text fw={600} truncate title={title}>
        <CutName name={title} />
      </Text>
      {file && (
        <Text size="xs" c="dimmed">
          {formatType(file.mimeType)} · {formatBytes(file.sizeBytes)}
          {position}
        </Text>
      )}
    </div>
  );
}

interface PreviewButtonsProps extends Pick<PreviewProps, 'id' | 'show'> {
  hasPrevious: boolean;
  hasNext: boolean;
  /** Shows another file: 1 = the next, -1 = the previous. */
  go(step: number): void;
}

function PreviewButtons({ id, show, hasPrevious, hasNext, go }: PreviewButtonsProps) {
  const { canWrite } = useFilesPage();
  return (
    <Group gap={4} wrap="nowrap">
      <IconButton
        label="Previous"
        disabled={!hasPrevious}
        onClick={() => go(-1)}
        icon={<ChevronLeft size={20} />}
      />
      <IconButton label="Next" disabled={!hasNext} onClick={() => go(1)} icon={<ChevronRight size={20} />} />
      <IconButton
        label={detailsLabel(canWrite)}
        onClick={() => show('details', id)}
        icon={<Share2 size={18} />}
      />
      <IconButton
        label="Download"
        onClick={() => download([contentAddress(id)])}
        icon={<Download size={18} />}
      />
      <IconButton label="Close" onClick={() => show('preview', null)} icon={<X size={20} />} />
    </Group>
  );
}
