import { formatExact, formatTime } from '../formats.ts';
import { useNow } from './useNow.ts';

/** A time in the reader's zone, relative if it is near; the tooltip is exact. */
export function Time({ value }: { value: string }) {
  const now = useNow();
  return (
    <time dateTime={value} title={formatExact(value)}>
      {formatTime(value, now)}
    </time>
  );
}

interface EndTimeProps {
  value: string;
  /** The words before a time to come, such as “Expires”, and before one that has passed. */
  before: string;
  after: string;
}

/** The time at which something ends or ended. */
export function EndTime({ value, before, after }: EndTimeProps) {
  const now = useNow();
  return (
    <>
      {new Date(value).getTime() > now ? before : after} <Time value={value} />
    </>
  );
}
