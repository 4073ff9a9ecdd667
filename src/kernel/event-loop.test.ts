import { afterEach, expect, test } from 'bun:test';
import { until } from '../../test/harness/until.ts';
import { createEventLoopWatch } from './event-loop.ts';
import { createLog } from './log.ts';
import { createMetrics } from './metrics.ts';

const lines: string[] = [];
const metrics = createMetrics();
const watch = createEventLoopWatch({
  log: createLog('warn', { write: (line) => lines.push(line) }),
  metrics,
});
afterEach(watch.stop);

/** Occupies the event loop. */
function occupy(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

test('a long delay is counted, and logged once with the routes that were under way', async () => {
  watch.start();
  watch.begin('GET /before')();
  const others = watch.begin('GET /slow/{id}');
  await Bun.sleep(50);
  const end = watch.begin('POST /expensive');
  occupy(200);
  end();
  await until(() => lines.length > 0);
  occupy(200);
  await Bun.sleep(50);
  others();
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ routes: ['GET /slow/{id}', 'POST /expensive'] });
  const { text } = await metrics.render();
  const long = Number(/^posthouse_event_loop_delay_seconds_count (\d+)$/m.exec(text)?.[1]);
  const short = Number(/^posthouse_event_loop_delay_seconds_bucket{le="0.1"} (\d+)$/m.exec(text)?.[1]);
  expect(long - short).toBeGreaterThanOrEqual(2);
  // The standard metrics of the runtime work too.
  expect(Number(/^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(text)?.[1])).toBeGreaterThan(0.1);
});
