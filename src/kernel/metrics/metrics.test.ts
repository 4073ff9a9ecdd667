import { expect, test } from 'bun:test';
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
