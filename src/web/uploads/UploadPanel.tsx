import { ActionIcon, Button, CloseButton, Group, Paper, Progress, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useVirtualizer } from '@tanstack/react-virtual';
import { ChevronDown, ChevronUp } from 'lucide-react';
import { useRef } from 'react';
import { formatBytes, percentOf } from '../formats.ts';
import { uploadTexts as texts } from '../texts/uploads.ts';
import { UploadRow } from './UploadRow.tsx';
import { useUploadList, useUploads } from './Uploads.tsx';
import { isUnfinished, type Upload, type UploadStatus } from './upload.ts';

const ROW_HEIGHT = 60;
const MOST_ROWS_SEEN = 4.5;
/** What needs a look comes first. */
const PLACE: Record<UploadStatus, number> = { failed: 0, offline: 1, running: 2, paused: 3, waiting: 4, done: 5 };

/** The uploads of this tab, at the corner of every page while there are any. */
export function UploadPanel() {
  const uploads = useUploads();
  const list = useUploadList();
  const [unfolded, { toggle }] = useDisclosure(true);
  if (list.length === 0) return null;

  const { all, sent, done } = sums(list);
  const unfinished = list.filter(isUnfinished);
  const stopped = list.filter(({ status }) => status === 'paused' || status === 'failed');
  const ended = unfinished.length === 0;
  const title = ended && stopped.length > 0 ? texts.stopped(stopped.length) : texts.title(done, list.length);
  const ids = (some: readonly Upload[]) => some.map(({ id }) => id);
  return (
    <Paper component="section" className="upload-panel surface" withBorder shadow="lg" aria-label={texts.region}>
      <Group gap="xs" wrap="nowrap" px="sm" pt="xs" pb={4}>
        <Text fw={600} size="sm" flex={1} aria-live="polite">
          {title}
        </Text>
        <Text size="xs" c="dimmed">
          {ended ? formatBytes(sent) : texts.sizeOf(formatBytes(sent), formatBytes(all))}
        </Text>
        <ActionIcon
          variant="subtle"
          color="gray"
          onClick={toggle}
          aria-expanded={unfolded}
          aria-label={unfolded ? texts.fold : texts.unfold}
        >
          {unfolded ? <ChevronDown size={18} /> : <ChevronUp size={18} />}
        </ActionIcon>
        {ended && stopped.length === 0 && <CloseButton onClick={() => uploads.remove(ids(list))} aria-label={texts.clear} />}
      </Group>
      <Progress value={percentOf(sent, all)} size="xs" mx="sm" mb="xs" aria-label={texts.total} />
      {unfolded && <Rows list={[...list].sort((a, b) => PLACE[a.status] - PLACE[b.status])} />}
      {(!ended || stopped.length > 0) && (
        <Group gap="xs" p={6} justify="flex-end" className="upload-actions">
          {unfinished.length > 0 && (
            <Button size="compact-xs" variant="subtle" onClick={() => uploads.pause(ids(unfinished))}>
              {texts.pauseAll}
            </Button>
          )}
          {stopped.length > 0 && (
            <Button size="compact-xs" variant="subtle" onClick={() => uploads.resume(ids(stopped))}>
              {texts.resumeAll}
            </Button>
          )}
          <Button size="compact-xs" variant="subtle" color="red" onClick={() => uploads.remove(ids(list))}>
            {texts.cancelAll}
          </Button>
        </Group>
      )}
    </Paper>
  );
}

function Rows({ list }: { list: readonly Upload[] }) {
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: list.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 4,
  });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <div ref={scroller} className="upload-rows" style={{ maxHeight: ROW_HEIGHT * MOST_ROWS_SEEN }} tabIndex={0}>
      <div style={{ height: rows.getTotalSize(), position: 'relative' }}>
        {rows.getVirtualItems().map(({ index, start }) => {
          const upload = list[index];
          return (
            upload && (
              <div key={upload.id} className="upload-row" style={{ height: ROW_HEIGHT, transform: `translateY(${start}px)` }}>
                <UploadRow upload={upload} />
              </div>
            )
          );
        })}
      </div>
    </div>
  );
}

function sums(list: readonly Upload[]) {
  let all = 0;
  let sent = 0;
  let done = 0;
  for (const upload of list) {
    all += upload.file.size;
    sent += upload.sent;
    if (upload.status === 'done') done++;
  }
  return { all, sent, done };
}
