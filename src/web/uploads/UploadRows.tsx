import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import { UploadRow } from './UploadRow.tsx';
import type { Upload, UploadStatus } from './upload.ts';

const ROW_HEIGHT = 60;
const VISIBLE_ROWS = 4.5;
/** Uploads that need attention come first. */
const ORDER: Record<UploadStatus, number> = {
  failed: 0,
  asking: 1,
  offline: 2,
  running: 3,
  paused: 4,
  waiting: 5,
  done: 6,
};

/** A virtual list of uploads. */
export function UploadRows({ uploads }: { uploads: readonly Upload[] }) {
  const sorted = uploads.toSorted((a, b) => ORDER[a.status] - ORDER[b.status]);
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: sorted.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 4,
  });
  return (
    <div
      ref={scroller}
      className="upload-rows"
      style={{ maxHeight: ROW_HEIGHT * VISIBLE_ROWS }}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
      tabIndex={0}
    >
      <div style={{ height: rows.getTotalSize(), position: 'relative' }}>
        {rows.getVirtualItems().map(({ index, start }) => {
          const upload = sorted[index];
          return (
            upload && (
              <div
                key={upload.id}
                className="upload-row"
                style={{ height: ROW_HEIGHT, transform: `translateY(${start}px)` }}
              >
                <UploadRow upload={upload} />
              </div>
            )
          );
        })}
      </div>
    </div>
  );
}
