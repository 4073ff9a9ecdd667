import { expect, spyOn, test } from 'bun:test';
import v8 from 'node:v8';
import { createMetrics } from './metrics.ts';

test('a gauge that cannot be read has no value, and the others have theirs', async () => {
  const metrics = createMetrics();
  const gone = async () => {
    throw new Error('the database is unavailable');
  };
  metrics.gauge('a_bytes', 'Unlabelled', [], gone);
  metrics.gauge('b_bytes', 'Labelled', ['kind'], gone).set({ kind: 'old' }, 7);
  metrics.gauge('c_bytes', 'Read', [], (gauge) => gauge.set(5));
  const text = await metrics.render();
  expect(text).not.toMatch(/^[ab]_bytes/m);
  expect(text).toContain('\nc_bytes 5\n');
});

test('a server measures its process, but not the spaces of its heap', async () => {
  const spaces = spyOn(v8, 'getHeapSpaceStatistics');
  const text = await createMetrics().render();
  expect(spaces).not.toHaveBeenCalled();
  expect(text).not.toContain('heap_space');
  for (const name of [
    'process_cpu_seconds_total',
    'process_start_time_seconds',
    'process_resident_memory_bytes',
    'process_open_fds',
    'process_max_fds',
    'nodejs_eventloop_lag_p99_seconds',
    'nodejs_active_resources',
    'nodejs_active_handles',
    'nodejs_active_requests',
    'nodejs_heap_size_used_bytes',
    'nodejs_version_info',
    'nodejs_gc_duration_seconds',
  ])
    expect(text).toContain(`# TYPE ${name} `);
});
