import { expect, test } from 'bun:test';
import { until } from '../../test/harness/until.ts';
import { createLocalSignals } from './database/signals.ts';
import { createEvents } from './events.ts';

const event = (id: string) => ({ topic: 'things', data: { id } });

test('an event is published at once, and its repeats once more', async () => {
  const events = createEvents(createLocalSignals());
  const heard: (string | null | undefined)[] = [];
  const stop = events.listen(({ data }) => heard.push(data.id));
  for (const id of ['a', 'b', 'a', 'a']) events.publish(event(id));
  expect(heard).toEqual(['a', 'b']);
  await until(() => heard.length === 3);
  expect(heard).toEqual(['a', 'b', 'a']);
  stop();
  events.publish(event('c'));
  expect(heard).toHaveLength(3);
});

test('repeats that wait are published before the end', () => {
  const events = createEvents(createLocalSignals());
  const heard: unknown[] = [];
  events.listen(({ data }) => heard.push(data.id));
  for (const id of ['a', 'a', 'b']) events.publish(event(id));
  events.flush();
  expect(heard).toEqual(['a', 'b', 'a']);
});
