import { ActionIcon, Group, Modal, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight, Download, Share2, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { contentAddress, getFile, keys } from '../../api/storage.ts';
import { formatBytes, formatType } from '../../formats.ts';
import { Failure } from '../../parts/Failure.tsx';
import { Waiting } from '../../parts/Waiting.tsx';
import { common } from '../../texts/common.ts';
import { fileTexts } from '../../texts/files.ts';
import { download } from './download.ts';
import type { Entry } from './entries.ts';
import { PreviewContent } from './PreviewContent.tsx';

const texts = fileTexts.preview;

interface PreviewProps {
  id: string;
  /** The lines among which one can go on. */
  entries: readonly Entry[];
  /** Shows another one; null = closes. */
  show(id: string | null): void;
  share(id: string): void;
}

/** One file over the whole window; the arrow keys go to the next. */
export function Preview({ id, entries, show, share }: PreviewProps) {
  const file = useQuery({ queryKey: keys.file(id), queryFn: ({ signal }) => getFile(id, signal) });
  const files = entries.filter(({ kind }) => kind === 'file');
  const place = files.findIndex((entry) => entry.id === id);
  const go = (step: number) => {
    const target = place < 0 ? undefined : files[place + step];
    if (target) show(target.id);
  };
  const label = file.data?.originalName ?? common.loading;
  return (
    <Modal.Root
      opened
      fullScreen
      onClose={() => show(null)}
      transitionProps={{ duration: 120 }}
      onKeyDown={(event) => {
        if ((event.target as HTMLElement).closest('video, audio, input, textarea')) return;
        if (event.key === 'ArrowRight') go(1);
        if (event.key === 'ArrowLeft') go(-1);
      }}
    >
      <Modal.Content aria-label={label}>
        <Modal.Body p={0} className="preview">
          <header className="preview-head">
            <div className="preview-title">
              <Text fw={600} truncate title={label}>
                {label}
              </Text>
              {file.data && (
                <Text size="xs" c="dimmed">
                  {formatType(file.data.mimeType)} · {formatBytes(file.data.sizeBytes)}
                  {place >= 0 && ` · ${place + 1} / ${files.length}`}
                </Text>
              )}
            </div>
            <Group gap={4} wrap="nowrap">
              <HeadButton label={texts.previous} disabled={place <= 0} act={() => go(-1)} icon={<ChevronLeft size={20} />} />
              <HeadButton
                label={texts.next}
                disabled={place < 0 || place >= files.length - 1}
                act={() => go(1)}
                icon={<ChevronRight size={20} />}
              />
              <HeadButton label={fileTexts.actions.details} act={() => share(id)} icon={<Share2 size={18} />} />
              <HeadButton label={fileTexts.actions.download} act={() => download([contentAddress(id)])} icon={<Download size={18} />} />
              <HeadButton label={common.action.close} act={() => show(null)} icon={<X size={20} />} />
            </Group>
          </header>
          <div className="preview-body">
            {file.isPending && <Waiting />}
            {file.isError && <Failure error={file.error} retry={() => void file.refetch()} />}
            {file.data && <PreviewContent key={`${file.data.id} ${file.data.sha256}`} file={file.data} />}
          </div>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

function HeadButton({ label, icon, act, disabled }: { label: string; icon: ReactNode; act: () => void; disabled?: boolean }) {
  return (
    <ActionIcon variant="subtle" color="gray" size="lg" aria-label={label} title={label} onClick={act} disabled={disabled}>
      {icon}
    </ActionIcon>
  );
}
