import { Button, CloseButton, Group, Paper, Progress, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { ChevronDown, ChevronUp } from 'lucide-react';
import { IconButton } from '../components/IconButton.tsx';
import { lazyComponent } from '../components/lazy-component.tsx';
import { formatBytes, percentOf } from '../formats.ts';
import { texts as common } from '../texts.ts';
import { texts } from './texts.ts';
import { useUploadList, useUploads } from './UploadsProvider.tsx';
import { isUnfinished, type Upload } from './upload.ts';

const UploadRows = lazyComponent(async () => (await import('./UploadRows.tsx')).UploadRows);

/** The uploads of this tab, in the corner of every page while there are any. */
export function UploadPanel() {
  const uploads = useUploadList();
  const [expanded, { toggle }] = useDisclosure(true);
  if (uploads.length === 0) return null;

  const { total, sent } = sizesOf(uploads);
  return (
    <Paper
      component="section"
      className="upload-panel surface"
      withBorder
      shadow="lg"
      aria-label={texts.uploads}
    >
      <Header uploads={uploads} expanded={expanded} toggle={toggle} />
      <Progress value={percentOf(sent, total)} size="xs" mx="sm" mb="xs" aria-label={texts.progressAll} />
      {expanded && <UploadRows uploads={uploads} />}
      <BulkActions uploads={uploads} />
    </Paper>
  );
}

interface UploadsProps {
  uploads: readonly Upload[];
}
interface HeaderProps extends UploadsProps {
  expanded: boolean;
  toggle(): void;
}

function Header({ uploads, expanded, toggle }: HeaderProps) {
  const { remove } = useUploads();
  const { total, sent } = sizesOf(uploads);
  const { unfinished, stopped } = groupsOf(uploads);
  const isOver = unfinished.length === 0;
  const done = uploads.filter(({ status }) => status === 'done').length;
  return (
    <Group gap="xs" wrap="nowrap" px="sm" pt="xs" pb={4}>
      <Text fw={600} size="sm" flex={1} aria-live="polite">
        {isOver && stopped.length > 0
          ? texts.notUploaded(stopped.length)
          : progressTitle(done, uploads.length)}
      </Text>
      <Text size="xs" c="dimmed">
        {isOver ? formatBytes(sent) : texts.sentOf(formatBytes(sent), formatBytes(total))}
      </Text>
      <IconButton
        size="md"
        label={expanded ? texts.collapse : texts.expand}
        icon={expanded ? <ChevronDown size={18} /> : <ChevronUp size={18} />}
        aria-expanded={expanded}
        onClick={toggle}
      />
      {isOver && !stopped.some(({ status }) => status === 'paused') && (
        <CloseButton onClick={() => remove(idsOf(uploads))} aria-label={common.close} />
      )}
    </Group>
  );
}

function BulkActions({ uploads }: UploadsProps) {
  const { pause, resume, remove } = useUploads();
  const { unfinished, stopped } = groupsOf(uploads);
  const paused = stopped.filter(({ status }) => status === 'paused');
  const actions = [
    { label: texts.pauseAll, of: unfinished, run: pause },
    { label: texts.resumeAll, of: paused, run: resume },
    { label: texts.cancelAll, of: [...unfinished, ...paused], run: remove, color: 'red' },
  ].filter((action) => action.of.length > 0);
  return (
    actions.length > 0 && (
      <Group gap="xs" p={6} justify="flex-end" className="upload-actions">
        {actions.map(({ label, of, run, color }) => (
          <Button key={label} size="compact-xs" variant="subtle" color={color} onClick={() => run(idsOf(of))}>
            {label}
          </Button>
        ))}
      </Group>
    )
  );
}

const progressTitle = (done: number, all: number) =>
  done === all ? texts.uploadedAll(all) : texts.uploading(done + 1, all);
const idsOf = (uploads: readonly Upload[]) => uploads.map(({ id }) => id);
const groupsOf = (uploads: readonly Upload[]) => ({
  unfinished: uploads.filter(isUnfinished),
  stopped: uploads.filter(({ status }) => status === 'paused' || status === 'failed'),
});
const sizesOf = (uploads: readonly Upload[]) => ({
  total: uploads.reduce((sum, { file }) => sum + file.size, 0),
  sent: uploads.reduce((sum, { sent }) => sum + sent, 0),
});
