import { formatExact, formatLocal, formatLocalDay, formatTime } from '../formats.ts';
import { useNow } from './useNow.ts';

/** A time in the reader's time zone, relative if it is near; the tooltip has the exact time. */
export function Time({ value }: { value: string }) {
  const now = useNow();
  return (
    <time dateTime={value} title={formatExact(value)}>
      {formatTime(value, now)}
    </time>
  );
}

/** The day on the clock of a camera; the tooltip has the time as well. */
export const LocalDay = ({ value }: { value: string }) => (
  <time dateTime={value} title={formatLocal(value)}>
    {formatLocalDay(value)}
  </time>
);

interface EndTimeProps {
  value: string;
  /** The words before a future time, such as “expires”, and before a past one. */
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
