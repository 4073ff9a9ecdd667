import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { shapeConfig } from '../src/config/config.ts';
import { openBlobs } from '../src/storage/blobs/open.ts';
import { BACKENDS, freshSettings } from './harness/backends.ts';
import { filesOf } from './harness/files.ts';
import { addPerson, type Posthouse, runJson, startPosthouse } from './harness/posthouse.ts';
import { until } from './harness/until.ts';

const QUOTA = 1_000_000;

describe.each(BACKENDS)('the bytes of one account on %s', (backend) => {
  let posthouse: Posthouse;
  let settings: Record<string, string>;
  let files: ReturnType<typeof filesOf>;
  /** Returns the bytes of all blobs. */
  let storedBytes: () => Promise<number>;

  beforeAll(async () => {
    settings = { ...(await freshSettings(backend)), POSTHOUSE_WORKSPACE_BYTES: String(QUOTA) };
    posthouse = await startPosthouse(settings);
    files = filesOf(posthouse, (await addPerson(settings, 'person@example.org')).headers);
    const { config, secrets } = shapeConfig(settings);
    const blobs = openBlobs(config.blobs, secrets.s3);
    storedBytes = async () => (await Array.fromAsync(blobs.list())).reduce((sum, { size }) => sum + size, 0);
  });
  afterAll(() => posthouse.stop());

  const trash = () => files.read<{ id: string; sizeBytes: number }[]>('/api/storage/trash');
  const trashBytes = async () => (await trash()).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);

  test('are two quotas at most while it uploads and deletes', async () => {
    let last = '';
    for (let round = 0; round < 7; round++) {
      last = (await files.upload(Buffer.alloc(QUOTA / 2, String(round)))).id;
      expect(await storedBytes()).toBeLessThanOrEqual(2 * QUOTA);
      expect((await files.remove(last)).status).toBe(204);
      expect(await trashBytes()).toBeLessThanOrEqual(QUOTA);
    }
    expect((await trash())[0]?.id).toBe(last);
    expect(await trashBytes()).toBe(QUOTA);
    await until(async () => (await storedBytes()) === QUOTA);
    expect((await files.post(`/api/storage/files/${last}/restore`)).status).toBe(200);
    await files.remove(last);
  });

  test('are two quotas and the bytes on their way at most while it replaces', async () => {
    const { id } = await files.upload('first');
    for (let round = 0; round < 4; round++) {
      expect((await files.replace(id, new Uint8Array(QUOTA / 2))).status).toBe(200);
      expect(await storedBytes()).toBeLessThanOrEqual(2.5 * QUOTA);
    }
    await until(async () => (await storedBytes()) === QUOTA / 2 + (await trashBytes()));
  });

  test('are counted correctly', async () => {
    expect(await runJson<object>(settings, 'check')).toMatchObject({ missing: 0, corrupt: 0, orphaned: 0 });
  });
});
