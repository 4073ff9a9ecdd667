import { expect, test } from 'bun:test';
import { Problem } from '../../kernel/problem.ts';
import { createSharedExports, type Layout } from './shared-exports.ts';

const origin = (workspaceId: string, target = workspaceId) => ({ workspaceId, target });
const layout = (key: string, count = 1): Layout => ({ key, count });

test('requests that wait for the same ZIP file share one layout', async () => {
  const shared = createSharedExports<Layout>();
  const runs: PromiseWithResolvers<Layout>[] = [];
  const request = (target: string) =>
    shared.share(origin('a', target), () => {
      const run = Promise.withResolvers<Layout>();
      runs.push(run);
      return run.promise;
    });
  // Two of a workspace run at once.
  const first = [request('one'), request('two')];
  await new Promise(setImmediate);
  const later = [request('one'), request('one'), request('one'), request('two')];
  expect(runs).toHaveLength(2);
  runs[0]?.resolve(layout('before'));
  runs[1]?.resolve(layout('other'));
  await Promise.all(first);
  await new Promise(setImmediate);
  expect(runs).toHaveLength(4);
  runs[2]?.resolve(layout('after'));
  runs[3]?.resolve(layout('other'));
  expect((await Promise.all(later)).map((found) => found?.key)).toEqual(['after', 'after', 'after', 'other']);
});

test('a failed layout fails only the requests that wait for it', async () => {
  const shared = createSharedExports<Layout>();
  const failing = shared.share(origin('a'), () => Promise.reject(new Error('no')));
  await expect(failing).rejects.toThrow('no');
  expect(await shared.share(origin('a'), async () => layout('key'))).toEqual(layout('key'));
});

test('equal layouts are one object', async () => {
  const shared = createSharedExports<Layout>();
  const share = (key: string) => shared.share(origin('a'), async () => layout(key));
  const [first, same, other] = [await share('key'), await share('key'), await share('other')];
  expect(first).toBe(same);
  expect(first).not.toBe(other);
});

test('the number of members that are sent at once is limited', async () => {
  const shared = createSharedExports<Layout>();
  const share = (workspaceId: string) => shared.share(origin(workspaceId), async () => layout(workspaceId));
  const refusal = (workspaceId: string) =>
    share(workspaceId).catch((error) => (error instanceof Problem ? error.code : error));
  const large = layout('large', 400_000);
  const ends = [
    shared.begin('a', large),
    shared.begin('a', large),
    shared.begin('a', layout('more', 200_000)),
  ];
  expect(await refusal('a')).toBe('unavailable');
  expect(await share('b')).toEqual(layout('b'));
  ends.push(shared.begin('b', layout('third', 450_000)));
  expect(await refusal('c')).toBe('unavailable');
  for (const end of ends) end();
  expect(await share('c')).toEqual(layout('c'));
});

test('members count as soon as they are read, up to the limit of one ZIP file', async () => {
  const shared = createSharedExports<Layout>(1_000_000);
  const refusal = (workspaceId: string) =>
    shared.share(origin(workspaceId), async () => null).catch((error) => error.code);
  const end = Promise.withResolvers<void>();
  const run = shared.share(origin('a'), async (members) => {
    members.add(500_000);
    await end.promise;
    members.add(500_001);
    return layout('never');
  });
  await new Promise(setImmediate);
  expect(await refusal('a')).toBe('unavailable');
  expect(await refusal('b')).toBeNull();
  end.resolve();
  await expect(run).rejects.toMatchObject({ code: 'folder_too_large' });
  expect(await refusal('a')).toBeNull();
  const folders = (count: number) =>
    shared.share(origin('a'), async ({ addFolders }) => {
      addFolders(count);
      return null;
    });
  expect(await folders(100_000)).toBeNull();
  await expect(folders(100_001)).rejects.toMatchObject({ code: 'folder_too_large' });
});
