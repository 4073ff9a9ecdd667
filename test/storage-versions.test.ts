import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { BACKENDS, freshSettings } from './harness/backends.ts';
import { filesOf } from './harness/files.ts';
import { addPerson, type Posthouse, runCommand, startPosthouse } from './harness/posthouse.ts';
import { until } from './harness/until.ts';

const QUOTA = 1_000_000;

interface Version {
  id: string;
  sizeBytes: number;
  sha256: string;
  dateCreated: string;
  dateReplaced: string;
  replacedBy: string | null;
}

describe.each(BACKENDS)('versions of files on %s', (backend) => {
  let settings: Record<string, string>;
  let posthouse: Posthouse;
  let headers: Record<string, string>;
  let files: ReturnType<typeof filesOf>;
  beforeAll(async () => {
    settings = { ...(await freshSettings(backend)), POSTHOUSE_WORKSPACE_BYTES: String(QUOTA) };
    posthouse = await startPosthouse(settings);
    ({ headers } = await addPerson(settings, 'ann@example.org'));
    files = filesOf(posthouse, headers);
  });
  afterAll(() => posthouse.stop());

  const request = (method: string, path: string) => posthouse.fetch(path, { method, headers });
  const replace = async (id: string, content: string) =>
    expect((await files.replace(id, content, 'other.txt')).status).toBe(200);
  const pathOf = (id: string, version = '') => `/api/storage/files/${id}/versions${version && `/${version}`}`;
  const versions = (id: string) => files.read<Version[]>(pathOf(id));
  const textOf = async (path: string) => await (await files.get(path)).text();
  const check = async () => (await runCommand(settings, 'check')).stdout.trim().split('\n');

  test('are kept when bytes are replaced, and listed, downloaded, restored and erased', async () => {
    const { id, sha256 } = await files.upload('first');
    expect(await versions(id)).toEqual([]);
    await replace(id, 'second one');
    await replace(id, 'third');
    const [second, first, ...more] = await versions(id);
    expect(more).toEqual([]);
    expect([first?.sizeBytes, second?.sizeBytes]).toEqual([5, 10]);
    expect(first?.sha256).toBe(sha256);
    expect([first?.replacedBy, second?.replacedBy]).toEqual([null, null]);
    expect(second?.dateCreated).toBe(first?.dateReplaced ?? '');
    expect(await files.usedBytes()).toBe(5);
    expect(await textOf(`${pathOf(id, second?.id)}/content`)).toBe('second one');
    const part = await posthouse.fetch(`${pathOf(id, first?.id)}/content`, {
      headers: { ...headers, Range: 'bytes=1-2' },
    });
    expect([part.status, await part.text()]).toEqual([206, 'ir']);
    const restored = await request('POST', `${pathOf(id, first?.id)}/restore`);
    expect(restored.status).toBe(200);
    expect(await restored.json()).toMatchObject({ id, sha256, sizeBytes: 5 });
    expect(await textOf(`/api/storage/files/${id}/content`)).toBe('first');
    expect((await versions(id)).map(({ sizeBytes }) => sizeBytes)).toEqual([5, 10]);
    expect((await request('POST', `${pathOf(id, first?.id)}/restore`)).status).toBe(404);
    expect((await request('DELETE', pathOf(id, second?.id))).status).toBe(204);
    expect(await versions(id)).toHaveLength(1);
    const other = await files.upload('other');
    const [left] = await versions(id);
    expect((await files.get(`${pathOf(other.id, left?.id)}/content`)).status).toBe(404);
    expect(await check()).toHaveLength(1);
    await files.remove(id);
    await request('DELETE', '/api/storage/trash');
    await files.remove(other.id);
    await request('DELETE', '/api/storage/trash');
    await until(
      async () => (await check())[0] === '0 files checked: 0 missing, 0 corrupt; orphaned blobs: 0.',
    );
  });

  test('are limited to 20, and are erased before entries of the trash when both exceed the quota', async () => {
    const { id } = await files.upload('0');
    for (let round = 1; round <= 22; round++) await replace(id, String(round));
    const kept = await versions(id);
    expect(kept).toHaveLength(20);
    expect(await files.readPages<Version>(`${pathOf(id)}?limit=7`)).toEqual(kept);
    expect((await files.get(`${pathOf(id)}?cursor=x`)).status).toBe(400);
    expect(await textOf(`${pathOf(id, kept.at(-1)?.id)}/content`)).toBe('2');
    const entry = await files.upload(Buffer.alloc(QUOTA - 10));
    await files.remove(entry.id);
    const left = await versions(id);
    expect(left.length).toBeLessThan(20);
    expect(left).toEqual(kept.slice(0, left.length));
    const newest = await files.upload(Buffer.alloc(QUOTA - 10));
    await files.remove(newest.id);
    expect(await versions(id)).toEqual([]);
    const trash = await files.read<{ id: string }[]>('/api/storage/trash');
    expect(trash.map((each) => each.id)).toEqual([newest.id]);
    expect(await check()).toHaveLength(1);
  });
});
