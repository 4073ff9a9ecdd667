import { expect, test } from 'bun:test';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { until } from '../../../test/harness/until.ts';
import { createRefresher } from './refresh.ts';

test('a request without a response delays later changes for a limited time only', async () => {
  const client = new QueryClient();
  const requests: string[] = [];
  const observe = (kind: string, answer: () => Promise<string>) =>
    new QueryObserver(client, {
      queryKey: [kind, 'id'],
      queryFn() {
        requests.push(kind);
        return answer();
      },
    }).subscribe(() => {});
  observe('usage', () => new Promise(() => {}));
  observe('folder', () => Promise.resolve('shown'));
  await until(() => client.getQueryData(['folder', 'id']) === 'shown');
  const { changed } = createRefresher(client, { pauseMs: 0, limitMs: 1 });
  for (const count of [2, 3]) {
    changed({ name: 'files', data: { workspaceId: 'id', folderId: null } });
    await until(() => requests.filter((kind) => kind === 'folder').length === count);
  }
  expect(requests.filter((kind) => kind === 'usage')).toHaveLength(1);
  client.clear();
});

test('a list of files that was refused is loaded again when the workspace changes, others are not', async () => {
  const client = new QueryClient();
  let isDeleted = true;
  const requests: string[] = [];
  const observe = (folder: string) =>
    new QueryObserver(client, {
      queryKey: ['files', folder],
      retry: false,
      async queryFn() {
        requests.push(folder);
        if (isDeleted && folder === 'deleted') throw new Error('not found');
        return folder;
      },
    }).subscribe(() => {});
  observe('deleted');
  observe('kept');
  await until(() => client.getQueryState(['files', 'deleted'])?.status === 'error');
  isDeleted = false;
  const { changed } = createRefresher(client, { pauseMs: 0, limitMs: 1 });
  changed({ name: 'files', data: { workspaceId: 'id', folderId: null } });
  await until(() => client.getQueryData(['files', 'deleted']) === 'deleted');
  expect(requests).toEqual(['deleted', 'kept', 'deleted']);
  client.clear();
});
