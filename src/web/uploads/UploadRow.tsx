import { Group, Progress, Text } from '@mantine/core';
import { CircleCheck, Pause, Play, RotateCw, X } from 'lucide-react';
import { shownName } from '../../text/shown-name.ts';
import { CutName } from '../components/CutName.tsx';
import { IconButton } from '../components/IconButton.tsx';
import { formatBytes, percentOf } from '../formats.ts';
import { texts } from './texts.ts';
import { useUploads } from './UploadsProvider.tsx';
import { isUnfinished, type Upload, type UploadStatus } from './upload.ts';

const COLORS: Partial<Record<UploadStatus, string>> = { failed: 'red', paused: 'gray', offline: 'gray' };

/** One upload: its progress and status, with buttons. */
export function UploadRow({ upload }: { upload: Upload }) {
  const { name, file, sent, status } = upload;
  return (
    <>
      <Group gap={4} wrap="nowrap">
        <Text size="sm" truncate flex={1} title={shownName([...upload.path, name].join(' / '))}>
          <CutName name={name} />
        </Text>
        <UploadActions upload={upload} />
      </Group>
      {status !== 'done' && (
        <Progress
          size={4}
          my={2}
          value={percentOf(sent, file.size)}
          color={COLORS[status]}
          aria-label={texts.progressOf(name)}
        />
      )}
      <Text
        size="xs"
        c={status === 'failed' ? 'var(--bad)' : 'dimmed'}
        truncate
        title={upload.reason ?? undefined}
      >
        {statusText(upload)}
      </Text>
    </>
  );
}

function UploadActions({ upload }: { upload: Upload }) {
  const { pause, resume, remove } = useUploads();
  const { id, name, status } = upload;
  const isDone = status === 'done';
  const actions = [
    isUnfinished(upload) && { label: texts.pause(name), Icon: Pause, run: pause },
    status === 'paused' && { label: texts.resume(name), Icon: Play, run: resume },
    status === 'failed' && { label: texts.retry(name), Icon: RotateCw, run: resume },
    { label: isDone ? texts.removeFromList(name) : texts.cancel(name), Icon: X, run: remove },
  ].filter((action) => action !== false);
  return (
    <>
      {isDone && <CircleCheck size={17} className="good-icon" aria-hidden />}
      {actions.map(({ label, Icon, run }) => (
        <IconButton key={label} size="sm" label={label} icon={<Icon size={15} />} onClick={() => run([id])} />
      ))}
    </>
  );
}

function statusText({ status, reason, sent, file }: Upload): string {
  if (status === 'done') return texts.uploaded(formatBytes(file.size));
  if (reason) return reason;
  const size = texts.sentOf(formatBytes(sent), formatBytes(file.size));
  if (status === 'paused') return texts.paused(size);
  if (status === 'waiting') return texts.waiting(formatBytes(file.size));
  return size;
}
