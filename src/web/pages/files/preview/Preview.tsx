import { Group, Modal, Text } from '@mantine/core';
import { getHotkeyHandler, useWindowEvent } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight, Download, Share2, X } from 'lucide-react';
import { shownName } from '../../../../text/shown-name.ts';
import { contentAddress, type FileItem, fileQuery } from '../../../api/storage.ts';
import { CutName } from '../../../components/CutName.tsx';
import { IconButton } from '../../../components/IconButton.tsx';
import { QueryContent } from '../../../components/QueryContent.tsx';
import { useSafeClose } from '../../../components/unsaved.ts';
import { formatBytes, formatType } from '../../../formats.ts';
import { texts as common } from '../../../texts.ts';
import { download } from '../actions/download.ts';
import { detailsLabel } from '../actions/entry-actions.tsx';
import { contentOf } from './content.ts';
import { PreviewBody } from './PreviewBody.tsx';
import { PreviewContent } from './PreviewContent.tsx';
import { texts } from './texts.ts';
import { useLoadAhead } from './useLoadAhead.ts';

interface PreviewProps {
  id: string;
  /** The files that Next and Previous go through. */
  files: readonly FileItem[];
  /** Position from 1 among all files, including those not in `files`; null = unknown, undefined = that in `files`. */
  position?: { at: number; of: number } | null;
  /** Whether the person may change the file. */
  canWrite: boolean;
  /** Opens a file in a panel; null closes the panel. */
  show(panel: 'preview' | 'details', id: string | null): void;
}

/** A file in the whole window; arrow keys show the next and previous file. */
export function Preview({ id, files, position, canWrite, show }: PreviewProps) {
  const index = files.findIndex((file) => file.id === id);
  const listed = files[index];
  const query = useQuery({ ...fileQuery(id), enabled: !listed });
  const file = listed ?? query.data;
  useLoadAhead(files, index);
  const neighbor = (step: number) => (index < 0 ? undefined : files[index + step]);
  const go = (step: number) => {
    const target = neighbor(step);
    if (target) show('preview', target.id);
  };
  const handleKey = getHotkeyHandler([
    ['ArrowRight', () => go(1)],
    ['ArrowLeft', () => go(-1)],
  ]);
  // On the window: the dialog gets no keys after the focused element, such as a button of the content, was removed.
  useWindowEvent('keydown', (event) => isForViewer(event.target as Element) && handleKey(event));
  const close = useSafeClose(() => show('preview', null));
  const title = shownName(file?.originalName ?? common.loading);
  return (
    <Modal.Root opened fullScreen onClose={close} transitionProps={{ duration: 120 }}>
      <Modal.Content aria-label={title}>
        <Modal.Body p={0} className="preview">
          <header className="preview-header">
            <Title
              title={title}
              file={file}
              position={describe(position === undefined ? { at: index + 1, of: files.length } : position)}
            />
            <PreviewButtons
              id={id}
              canWrite={canWrite}
              hasPrevious={neighbor(-1) !== undefined}
              hasNext={neighbor(1) !== undefined}
              go={go}
              show={show}
            />
          </header>
          <PreviewBody>
            <QueryContent query={{ ...query, data: file }}>
              {(shown) => (
                <PreviewContent key={`${shown.id} ${shown.sha256}`} content={contentOf(shown)} go={go} />
              )}
            </QueryContent>
          </PreviewBody>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

const describe = (position: PreviewProps['position']) =>
  position && position.at > 0 ? ` · ${position.at} / ${position.of}` : '';

/**
 * Reports whether a key is for the viewer, and not for a player or an input, which use the arrow keys, or for a dialog
 * above the viewer.
 */
function isForViewer(target: Element): boolean {
  const dialog = target.closest('[role=dialog]');
  return !target.closest('video, audio, input') && (!dialog || dialog.querySelector('.preview') !== null);
}

interface TitleProps {
  title: string;
  file: FileItem | undefined;
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
        <Text size="xs" c="dimmed" truncate>
          {formatType(file.mimeType)} · {formatBytes(file.sizeBytes)}
          {position}
        </Text>
      )}
    </div>
  );
}

interface PreviewButtonsProps extends Pick<PreviewProps, 'id' | 'canWrite' | 'show'> {
  hasPrevious: boolean;
  hasNext: boolean;
  /** Shows another file: 1 = the next, -1 = the previous. */
  go(step: number): void;
}

function PreviewButtons({ id, canWrite, show, hasPrevious, hasNext, go }: PreviewButtonsProps) {
  return (
    <Group gap={4} wrap="nowrap">
      {/* A disabled button would lose the focus, and the dialog its keys. */}
      <div className="preview-steps">
        <IconButton
          label={texts.previous}
          aria-disabled={!hasPrevious}
          data-disabled={!hasPrevious || undefined}
          onClick={() => go(-1)}
          icon={<ChevronLeft size={20} />}
        />
        <IconButton
          label={texts.next}
          aria-disabled={!hasNext}
          data-disabled={!hasNext || undefined}
          onClick={() => go(1)}
          icon={<ChevronRight size={20} />}
        />
      </div>
      <IconButton
        label={detailsLabel(canWrite)}
        onClick={() => show('details', id)}
        icon={<Share2 size={18} />}
      />
      <IconButton
        label={common.download}
        onClick={() => download([contentAddress(id)])}
        icon={<Download size={18} />}
      />
      <IconButton label={common.close} onClick={() => show('preview', null)} icon={<X size={20} />} />
    </Group>
  );
}
