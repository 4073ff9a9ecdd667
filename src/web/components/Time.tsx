import { formatExact, formatLocal, formatLocalDay, formatTime } from '../formats.ts';
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

/** The day that a camera showed; the tooltip has the time as well. */
export const LocalDay = ({ value }: { value: string }) => (
  <time dateTime={value} title={formatLocal(value)}>
    {formatLocalDay(value)}
  </time>
);

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
