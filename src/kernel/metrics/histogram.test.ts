import { expect, test } from 'bun:test';
import { Histogram, Registry } from 'prom-client';
import { addHistogram } from './histogram.ts';

const NAME = 'waiting_seconds';
const HELP = 'Time of waiting';
const BUCKETS = [0.1, 1, 10];
/** On a bound, between bounds, and above all of them. */
const VALUES = [0.05, 0.1, 0.5, 10, 11];

test('a histogram renders as that of the library', async () => {
  const theirs = new Registry();
  const histogram = new Histogram({
    name: NAME,
    help: HELP,
    labelNames: ['queue', 'status'],
    buckets: BUCKETS,
    registers: [theirs],
  });
  const ours = new Registry();
  const addSeries = addHistogram(ours, { name: NAME, help: HELP, buckets: BUCKETS });
  for (const labels of [
    { queue: 'a', status: 200 },
    { queue: 'b', status: 404 },
  ]) {
    const series = addSeries(labels);
    for (const value of VALUES) {
      histogram.observe(labels, value);
      series.observe(value);
    }
  }
  expect(await ours.metrics()).toBe(await theirs.metrics());
});
