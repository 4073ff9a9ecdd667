import type { Clock } from '../clock.ts';

/**
 * Returns a clock that runs with `clock` but never backwards: when an operator or NTP sets the time back, it
 * continues from its last value. For measuring waits on this node; its time may differ from UTC.
 */
export function steadyClock(clock: Clock): Clock {
  let offset = 0;
  let last = clock.now();
  return {
    now() {
      const now = clock.now() + offset;
      if (now < last) offset += last - now;
      last = Math.max(last, now);
      return last;
    },
  };
}
