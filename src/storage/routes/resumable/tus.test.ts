import { expect, mock, test } from 'bun:test';
import { DAY } from '../../../kernel/clock.ts';
import { Problem } from '../../../kernel/problem.ts';
import type { UploadOwner } from './protocol.ts';
import { createTus, type TusDeps } from './tus.ts';

test('an upload whose file is stored is confirmed, although the database has no time for a further query', async () => {
  const remove = mock();
  const uploads = {
    remove,
    finish: async () => 'the-file',
    locks: {
      lock: async () => 'unknown',
      keepLock: () => ({ stop() {} }),
      unlock: async () => {},
      isWanted: async () => false,
    },
  };
  const deps = {
    uploads,
    database: {
      get read(): never {
        throw new Problem('unavailable', 'Busy.');
      },
    },
    clock: { now: Date.now },
    signals: { listen: () => () => {}, emit() {} },
    blobs: { freeBytes: () => 1_000_000_000_000 },
    node: 'test',
    fileBytes: 100,
  };
  const owner: UploadOwner = {
    begin: async () => {},
    find: async () => ({}) as Awaited<ReturnType<UploadOwner['find']>>,
    recheck: async () => {},
    pathOf: (id) => `/uploads/${id}`,
    unstartedMs: DAY,
  };
  const request = new Request('http://localhost/uploads', {
    method: 'POST',
    headers: { 'Tus-Resumable': '1.0.0', 'Upload-Length': '0', 'Upload-Metadata': 'filename YQ==' },
  });
  const tus = createTus(deps as unknown as TusDeps);
  const response = await tus(request, { method: 'POST', owner, uploadId: null });
  expect([response.status, response.headers.get('Posthouse-File-Id')]).toEqual([201, 'the-file']);
  expect(remove).not.toHaveBeenCalled();
});
