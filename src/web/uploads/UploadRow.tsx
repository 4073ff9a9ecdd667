import { ActionIcon, Group, Progress, Text } from '@mantine/core';
import { CircleCheck, Pause, Play, RotateCw, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatBytes, percentOf } from '../formats.ts';
import { uploadTexts as texts } from '../texts/uploads.ts';
import { useUploads } from './Uploads.tsx';
import { isUnfinished, type Upload } from './upload.ts';

/** One upload: how far it is, and what can be done with it. */
export function UploadRow({ upload }: { upload: Upload }) {
  const uploads = useUploads();
  const { id, name, file, sent, status } = upload;
  const done = status === 'done';
  return (
    <>
      <Group gap={4} wrap="nowrap">
        <Text size="sm" truncate flex={1} title={[...upload.path, name].join(' / ')}>
          {name}
        </Text>
        {isUnfinished(upload) && <Action label={texts.pause(name)} icon={<Pause size={15} />} act={() => uploads.pause([id])} />}
        {status === 'paused' && <Action label={texts.resume(name)} icon={<Play size={15} />} act={() => uploads.resume([id])} />}
        {status === 'failed' && <Action label={texts.retry(name)} icon={<RotateCw size={15} />} act={() => uploads.resume([id])} />}
        {done && <CircleCheck size={17} className="good-icon" aria-hidden />}
        <Action label={done ? texts.takeOff(name) : texts.cancel(name)} icon={<X size={15} />} act={() => uploads.remove([id])} />
      </Group>
      {!done && (
        <Progress
          size={4}
          my={2}
          value={percentOf(sent, file.size)}
          color={status === 'failed' ? 'red' : status === 'running' || status === 'waiting' ? undefined : 'gray'}
          aria-label={texts.progress(name)}
        />
      )}
      <Text size="xs" c={status === 'failed' ? 'var(--bad)' : 'dimmed'} truncate title={upload.reason ?? undefined}>
        {situation(upload)}
      </Text>
    </>
  );
}

function situation({ status, reason, sent, file }: Upload): string {
  if (status === 'done') return `${texts.done} · ${formatBytes(file.size)}`;
  if (reason) return reason;
  const size = texts.sizeOf(formatBytes(sent), formatBytes(file.size));
  if (status === 'paused') return `${texts.paused} · ${size}`;
  if (status === 'waiting') return `${texts.waiting} · ${formatBytes(file.size)}`;
  return size;
}

function Action({ label, icon, act }: { label: string; icon: ReactNode; act: () => void }) {
  return (
    <ActionIcon variant="subtle" color="gray" size="sm" onClick={act} aria-label={label} title={label}>
      {icon}
    </ActionIcon>
  );
}
