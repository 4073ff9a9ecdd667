import { afterEach, expect, test } from 'bun:test';
import { until } from '../../../test/harness/until.ts';
import { createLog } from '../log.ts';
import { createMetrics } from '../metrics/metrics.ts';
import { createEventLoopWatch } from './event-loop.ts';

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

let lagSeconds = 0;

/** Returns the numbers of observed delays: all, and those above 100 ms. */
async function observed() {
  const text = await metrics.render();
  const value = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  const all = value('posthouse_event_loop_delay_seconds_count');
  const short = value('posthouse_event_loop_delay_seconds_bucket{le="0.1"}');
  // Reading resets this metric of the runtime.
  lagSeconds = Math.max(lagSeconds, value('nodejs_eventloop_lag_max_seconds'));
  return { all, long: all - short };
}

const get = (path: string) => ({ method: 'GET', path });

test('a long delay is counted, and logged once with the routes that were under way', async () => {
  const [slow, expensive] = [get('/slow/{id}'), get('/expensive')];
  // Before the start, since the delays of a busy machine are logged too.
  watch.begin(slow);
  watch.begin(expensive);
  watch.start();
  await until(async () => (await observed()).all > 0);
  occupy(200);
  watch.end(expensive);
  await until(() => lines.length > 0);
  const { long } = await observed();
  occupy(200);
  await until(async () => (await observed()).long > long);
  watch.end(slow);
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ routes: ['GET /expensive', 'GET /slow/{id}'] });
  await until(async () => {
    occupy(250);
    await observed();
    return lagSeconds > 0.1;
  });
});

test('a delay before the first request after a pause is counted', async () => {
  const route = get('/');
  watch.start();
  const { all } = await observed();
  // More checks than the watch makes at the higher rate without a request.
  await until(async () => (await observed()).all > all + 55);
  const { long } = await observed();
  occupy(500);
  watch.begin(route);
  expect((await observed()).long).toBeGreaterThan(long);
  watch.end(route);
});
