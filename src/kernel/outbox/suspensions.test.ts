import { expect, test } from 'bun:test';
import { until } from '../../../test/harness/until.ts';
import { watchSuspensions } from './suspensions.ts';

test('a process that did not run for a while has resumed, one that is late has not', async () => {
  let now = 0;
  let checks = 0;
  let resumptions = 0;
  const stop = watchSuspensions({
    ms: 60,
    resumed: () => resumptions++,
    now() {
      checks++;
      return now;
    },
  });
  const check = async () => {
    const before = checks;
    await until(() => checks > before + 2);
  };
  now += 60;
  await check();
  expect(resumptions).toBe(0);
  now += 61;
  await check();
  expect(resumptions).toBe(1);
  await check();
  stop();
  expect(resumptions).toBe(1);
});
