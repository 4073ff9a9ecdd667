import { expect, test } from 'bun:test';
import { setImmediate } from 'node:timers/promises';
import { createWorkspaceTurns } from './lock.ts';

test('callers take turns with the transactions of a workspace, and workspaces do not wait for each other', async () => {
  let caller = '';
  const inTurn = createWorkspaceTurns({ kind: 'postgres', caller: () => caller });
  const started: string[] = [];
  const running: (() => void)[] = [];
  const call = (name: string, workspace = 'shared') => {
    caller = name;
    return inTurn(workspace, () => {
      started.push(name);
      return new Promise<void>((resolve) => running.push(resolve));
    });
  };
  const calls = ['visitor', 'visitor', 'visitor', 'visitor', 'member'].map((name) => call(name));
  calls.push(call('owner', 'other'));
  while (started.length < calls.length) {
    await setImmediate();
    running.shift()?.();
  }
  for (const end of running) end();
  await Promise.all(calls);
  expect(started).toEqual(['visitor', 'visitor', 'owner', 'visitor', 'member', 'visitor']);
});
