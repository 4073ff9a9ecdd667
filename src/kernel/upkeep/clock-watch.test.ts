import { expect, test } from 'bun:test';
import { MINUTE } from '../clock.ts';
import type { Log } from '../log.ts';
import { createMetrics } from '../metrics/metrics.ts';
import { watchClock } from './clock-watch.ts';

/** Watches a clock; returns what sets its difference, runs the next check and returns the warnings since. */
function watch(skewMs: number) {
  let skew = skewMs;
  const warnings: unknown[] = [];
  const log = { warn: (about: unknown) => warnings.push(about) } as unknown as Log;
  let check = async () => {};
  let synchronized = 0;
  watchClock({
    clock: {
      now: Date.now,
      skewMs: () => skew,
      async synchronize() {
        synchronized++;
      },
    },
    log,
    metrics: createMetrics(),
    upkeep: {
      every() {},
      everywhere(ms, _, task) {
        expect(ms).toBe(MINUTE);
        check = task;
      },
      async stop() {},
    },
  });
  return {
    warnings,
    synchronized: () => synchronized,
    async check(ms: number) {
      skew = ms;
      await check();
    },
  };
}

test('a clock that differs by more than a second is warned of at the start and every minute', async () => {
  const { warnings, synchronized, check } = watch(-1_200);
  expect(warnings).toEqual([{ skewMs: -1_200 }]);
  await check(1_001);
  expect([warnings.length, synchronized()]).toEqual([2, 1]);
  await check(1_000);
  expect([warnings.length, synchronized()]).toEqual([2, 2]);
});
