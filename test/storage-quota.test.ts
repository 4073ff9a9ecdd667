import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { BACKENDS, freshSettings } from './harness/backends.ts';
import { filesOf } from './harness/files.ts';
import { chunked, MULTIPART_TYPE, multipart } from './harness/multipart.ts';
import { addPerson, type Posthouse, runJson, startPosthouse } from './harness/posthouse.ts';
import { refusal } from './harness/refusal.ts';

const MB = 1_048_576;
const QUOTA = 4 * MB;

describe.each(BACKENDS)('the quota on %s', (backend) => {
  let posthouse: Posthouse;
  let settings: Record<string, string>;
  let files: ReturnType<typeof filesOf>;

  beforeAll(async () => {
    settings = { ...(await freshSettings(backend)), POSTHOUSE_WORKSPACE_BYTES: String(QUOTA) };
    posthouse = await startPosthouse(settings);
  });
  // Another account, since the trash and erased files of the first one take up space.
  beforeEach(async () => {
    const { headers } = await addPerson(settings, `${crypto.randomUUID()}@example.org`);
    files = filesOf(posthouse, headers);
  });
  afterAll(async () => {
    await posthouse.stop();
  });

  const bodyOf = (size: number) =>
    multipart([{ name: 'file', fileName: 'a.bin', value: Buffer.alloc(size, 'x') }]);
  const send = (body: Buffer<ArrayBuffer> | ReadableStream<Uint8Array>, path = '/api/storage/files/root') =>
    posthouse.fetch(path, {
      method: 'POST',
      headers: { ...files.headers, 'Content-Type': MULTIPART_TYPE },
      body,
    });
  const upload = (size: number) => send(bodyOf(size));
  const uploadChunked = (size: number) => send(chunked(bodyOf(size)));
  const usage = () => files.read<{ usedBytes: number; maxBytes: number }>('/api/storage/usage');
  const FULL = [507, 'quota_exceeded'];

  test.each([
    ['of known length', upload],
    ['of unknown length', uploadChunked],
  ])('is exact to the byte for uploads %s', async (_, put) => {
    expect(await usage()).toEqual({ usedBytes: 0, maxBytes: QUOTA });
    expect((await put(QUOTA - 10)).status).toBe(201);
    expect(await refusal(put(11))).toEqual(FULL);
    expect((await put(10)).status).toBe(201);
    expect(await usage()).toEqual({ usedBytes: QUOTA, maxBytes: QUOTA });
    expect(await refusal(put(1))).toEqual(FULL);
    expect((await put(0)).status).toBe(201);
    expect((await usage()).usedBytes).toBe(QUOTA);
  });

  test('uploads of unknown length that wait do not occupy more than the space together', async () => {
    const body = bodyOf(0.6 * QUOTA);
    const waiting = [0, 1].map(() => {
      const { promise: continued, resolve: goOn } = Promise.withResolvers<void>();
      let at = 0;
      const stream = new ReadableStream<Uint8Array>({
        async pull(controller) {
          if (at === 1) await continued;
          if (at === 2) return controller.close();
          controller.enqueue(at === 0 ? body.subarray(0, -100) : body.subarray(-100));
          at++;
        },
      });
      return { answer: send(stream), goOn };
    });
    const refused = await Promise.race(waiting.map(async (each) => ({ each, answer: await each.answer })));
    expect(await refusal(refused.answer)).toEqual(FULL);
    const other = waiting.find((each) => each !== refused.each);
    for (const { goOn } of waiting) goOn();
    expect((await other?.answer)?.status).toBe(201);
  });

  test('rejects early an upload that cannot fit, and the client receives the reason', async () => {
    expect(await refusal(upload(QUOTA + 70_000))).toEqual(FULL);
    expect(await refusal(uploadChunked(QUOTA + 70_000))).toEqual(FULL);
    expect(await refusal(upload(QUOTA + 1))).toEqual(FULL);
    expect((await usage()).usedBytes).toBe(0);
  });

  test.each([
    ['small ones of known length', 10, (QUOTA - 5) / 3.5, upload],
    ['small ones of unknown length', 10, (QUOTA - 5) / 3.5, uploadChunked],
    ['large ones of known length', 4, 1.5 * MB, upload],
    ['large ones of unknown length', 4, 1.5 * MB, uploadChunked],
    ['one that takes all', 6, QUOTA, upload],
    ['one that takes all, of unknown length', 6, QUOTA, uploadChunked],
    ['many tiny ones at the end', 30, 7, async (size: number) => upload(size)],
  ])('of concurrent uploads, as many succeed as fit: %s', async (name, count, size, put) => {
    const bytes = Math.floor(size);
    let fit = Math.floor(QUOTA / bytes);
    if (name.startsWith('many')) {
      await upload(QUOTA - 10 * bytes - 3);
      fit = 10;
    }
    const before = (await usage()).usedBytes;
    const answers = await Promise.all(Array.from({ length: count }, async () => refusal(put(bytes))));
    expect(answers.filter(([status]) => status === 201)).toHaveLength(Math.min(fit, count));
    expect(answers.filter(([status]) => status !== 201).every(([status]) => status === 507)).toBe(true);
    expect((await usage()).usedBytes).toBe(before + Math.min(fit, count) * bytes);
  });

  test('concurrent uploads of both kinds never share space, and never all fail', async () => {
    for (let round = 0; round < 3; round++) {
      const answers = await Promise.all(
        [upload, uploadChunked, upload, uploadChunked].map(async (put) => {
          const answer = await put(2.5 * MB);
          return [answer.status, ((await answer.json()) as { Id?: string }).Id] as const;
        }),
      );
      const made = answers.filter(([status]) => status === 201);
      expect(made).toHaveLength(1);
      expect((await usage()).usedBytes).toBe(2.5 * MB);
      await files.remove(made[0]?.[1] ?? '');
    }
  });

  test('does not count deleted files, and restores only those that fit', async () => {
    const first = await files.upload(Buffer.alloc(3 * MB));
    expect((await files.remove(first.id)).status).toBe(204);
    expect((await usage()).usedBytes).toBe(0);
    const second = await files.upload(Buffer.alloc(2 * MB));
    expect(await refusal(files.post(`/api/storage/files/${first.id}/restore`))).toEqual(FULL);
    await send(bodyOf(MB), `/api/storage/files/${second.id}/replace`);
    expect((await files.post(`/api/storage/files/${first.id}/restore`)).status).toBe(200);
    expect((await usage()).usedBytes).toBe(QUOTA);
  });

  test('concurrent deletes, restores and replacements count once', async () => {
    const { id } = await files.upload(Buffer.alloc(1000));
    const statuses = await Promise.all(
      Array.from({ length: 6 }, async () => (await files.remove(id)).status),
    );
    expect(statuses.filter((status) => status === 204)).toHaveLength(1);
    expect((await usage()).usedBytes).toBe(0);
    const restored = await Promise.all(
      Array.from({ length: 6 }, async () => (await files.post(`/api/storage/files/${id}/restore`)).status),
    );
    expect(restored.filter((status) => status === 200)).toHaveLength(1);
    expect((await usage()).usedBytes).toBe(1000);
    const sizes = Array.from({ length: 6 }, (_, index) => 100 * (index + 1));
    await Promise.all(sizes.map((size) => send(bodyOf(size), `/api/storage/files/${id}/replace`)));
    expect((await usage()).usedBytes).toBe((await files.metadata(id)).sizeBytes);
    expect(sizes).toContain((await files.metadata(id)).sizeBytes);
  });

  test('a replacement requires only the difference', async () => {
    const { id } = await files.upload(Buffer.alloc(3 * MB));
    const path = `/api/storage/files/${id}/replace`;
    expect((await send(bodyOf(QUOTA), path)).status).toBe(200);
    expect((await send(chunked(bodyOf(QUOTA - 1)), path)).status).toBe(200);
    expect(await refusal(send(bodyOf(QUOTA + 1), path))).toEqual(FULL);
    expect(await refusal(send(chunked(bodyOf(QUOTA + 1)), path))).toEqual(FULL);
    expect((await usage()).usedBytes).toBe(QUOTA - 1);
  });

  test('an upload that replaces a file of its name requires only the difference', async () => {
    const replacing = (size: number, fileName = 'a.bin') =>
      multipart([
        { name: 'onConflict', value: 'replace' },
        { name: 'file', fileName, value: Buffer.alloc(size, 'y') },
      ]);
    expect((await upload(3 * MB)).status).toBe(201);
    expect((await send(replacing(QUOTA))).status).toBe(201);
    expect((await send(chunked(replacing(QUOTA - 1)))).status).toBe(201);
    expect(await refusal(send(replacing(QUOTA + 1)))).toEqual(FULL);
    expect(await refusal(send(replacing(2 * MB, 'other.bin')))).toEqual(FULL);
    expect(await refusal(send(chunked(replacing(2 * MB, 'other.bin'))))).toEqual(FULL);
    expect((await usage()).usedBytes).toBe(QUOTA - 1);
  });

  test('sums are correct after all of this, and rejected uploads left no bytes', async () => {
    await upload(QUOTA);
    await upload(1);
    await uploadChunked(1);
    const before = await runJson<{ orphaned: number }>(settings, 'check');
    await upload(QUOTA);
    await uploadChunked(2 * MB);
    const list = await files.read<{ sizeBytes: number }[]>('/api/storage/files/root');
    expect(list.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)).toBe((await usage()).usedBytes);
    expect(await runJson<object>(settings, 'check')).toMatchObject({
      missing: 0,
      corrupt: 0,
      orphaned: before.orphaned,
    });
  });
});
