import { useSyncExternalStore } from 'react';

const MINUTE = 60_000;

/** Returns the current time in milliseconds, and renders the component again every minute. */
export function useNow(): number {
  const minute = useSyncExternalStore(everyMinute, () => Math.floor(Date.now() / MINUTE));
  return Math.max(minute * MINUTE, Date.now());
}

function everyMinute(notify: () => void) {
  const timer = setInterval(notify, MINUTE);
  return () => clearInterval(timer);
}
