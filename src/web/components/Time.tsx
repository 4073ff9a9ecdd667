import { useSyncExternalStore } from 'react';
import { formatExact, formatTime } from '../formats.ts';

const MINUTE = 60_000;

/** A time in the reader's zone, relative if it is near; the tooltip is exact. */
export function Time({ value }: { value: string }) {
  const minute = useSyncExternalStore(everyMinute, () => Math.floor(Date.now() / MINUTE));
  return (
    <time dateTime={value} title={formatExact(value)}>
      {formatTime(value, Math.max(minute * MINUTE, Date.now()))}
    </time>
  );
}

function everyMinute(notify: () => void) {
  const timer = setInterval(notify, MINUTE);
  return () => clearInterval(timer);
}
