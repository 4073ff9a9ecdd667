import { expect, test } from 'bun:test';
import { createLog } from '../../log.ts';
import { createRefusalSeries } from './refusal-series.ts';

test('the log has the start of a series of refusals, and its end with their number', () => {
  const lines: Record<string, unknown>[] = [];
  const timers: (() => void)[] = [];
  const refused = createRefusalSeries({
    log: createLog('info', { write: (line) => void lines.push(JSON.parse(line)) }),
    later: (run) => void timers.push(run),
  });
  const logged = () => lines.splice(0).map(({ level, refused: count }) => [level, count]);
  const passTime = () => {
    for (const run of timers.splice(0)) run();
  };

  for (let count = 0; count < 1_000; count++) refused();
  expect(logged()).toEqual([['warn', undefined]]);
  passTime();
  expect(logged()).toEqual([]);
  refused();
  passTime();
  expect(logged()).toEqual([]);
  passTime();
  expect(logged()).toEqual([['info', 1_001]]);
  expect(timers).toEqual([]);

  refused();
  passTime();
  expect(logged()).toEqual([
    ['warn', undefined],
    ['info', 1],
  ]);
});
