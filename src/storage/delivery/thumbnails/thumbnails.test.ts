import { beforeEach, describe, expect, test } from 'bun:test';
import { DATABASES, freshDatabase, withClock } from '../../../../test/harness/database.ts';
import { addFileRow, addWorkspace } from '../../../../test/harness/storage-rows.ts';
import type { Database } from '../../../kernel/database/database.ts';
import { createLocalSignals } from '../../../kernel/database/signals.ts';
import { newId } from '../../../kernel/ids.ts';
import { createLog } from '../../../kernel/log.ts';
import { BlobMissing, type Blobs } from '../../blobs/port.ts';
import { fromRow } from '../../tree/file.ts';
import { NoThumbnail } from './render.ts';
import { createThumbnails } from './thumbnails.ts';

const MINUTE = 60_000;
const FACTS = { width: 40, height: 20, takenAt: 5, takenOffset: 60, camera: 'Camera of Ada' };

/** A blob store in memory with the methods that the queue uses. */
function memoryBlobs() {
  const bytes = new Map<string, Uint8Array>();
  const blobs = {
    create(key: string) {
      let written = new Uint8Array();
      return {
        write(chunk: Uint8Array) {
          written = Buffer.concat([written, chunk]);
          return undefined;
        },
        async commit() {
          bytes.set(key, written);
        },
        async abort() {},
      };
    },
    read(key: string) {
      const found = bytes.get(key);
      if (!found) throw new BlobMissing(key);
      return new Blob([found as Uint8Array<ArrayBuffer>]);
    },
    async delete(key: string) {
      bytes.delete(key);
    },
  } as unknown as Blobs;
  return { bytes, blobs };
}

describe.each(DATABASES)('thumbnails on %s', (kind) => {
  let database: Database;
  let now = 0;
  const clock = { now: () => now };
  const signals = createLocalSignals();
  const log = createLog('silent');
  let store: ReturnType<typeof memoryBlobs>;
  let workspaceId: string;

  beforeEach(async () => {
    database = withClock(await freshDatabase(kind), clock);
    store = memoryBlobs();
    now = 1_000_000;
    workspaceId = newId();
    await addWorkspace(database, { id: workspaceId });
  });

  async function addPicture(content = 'picture', changes = {}): Promise<string> {
    const blobKey = newId();
    store.bytes.set(blobKey, Buffer.from(content));
    return await addFileRow(database, {
      workspace_id: workspaceId,
      original_name: 'a.png',
      name_key: 'a.png',
      size_bytes: content.length,
      mime_type: 'image/png',
      blob_key: blobKey,
      thumbnail_state: 'pending',
      date_created: now,
      date_modified: now,
      ...changes,
    });
  }

  const row = (id: string) =>
    database.read.selectFrom('files').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

  /** A node whose renderer records its inputs. */
  function node(render: (content: string) => Promise<string> | string = (content) => `small ${content}`) {
    const rendered: string[] = [];
    const thumbnails = createThumbnails({
      database,
      blobs: store.blobs,
      signals,
      clock,
      log,
      async render(picture) {
        const content = await new Response(picture).text();
        rendered.push(content);
        return { thumbnail: Buffer.from(await render(content)), facts: FACTS };
      },
    });
    return { ...thumbnails, rendered };
  }

  test('a waiting thumbnail is rendered and recorded in the file’s row', async () => {
    const ids = await Promise.all(['one', 'two', 'three'].map((content) => addPicture(content)));
    const { round, rendered } = node();
    await round();
    expect(rendered.toSorted()).toEqual(['one', 'three', 'two']);
    const made = await row(ids[0] ?? '');
    expect([made.thumbnail_state, made.thumbnail_lease_until]).toEqual(['made', null]);
    expect(Buffer.from(store.bytes.get(made.thumbnail_key ?? '') ?? '').toString()).toBe('small one');
    expect(fromRow(made).picture).toEqual(FACTS);
    await round();
    expect(rendered).toHaveLength(3);
  });

  test('the facts of a picture with a thumbnail are read once', async () => {
    const old = { thumbnail_state: 'made', thumbnail_key: 'old', thumbnail_attempts: 2 };
    const [good, broken] = [await addPicture('good', old), await addPicture('broken', old)];
    const { round, rendered } = node((content) =>
      content === 'broken' ? Promise.reject(new NoThumbnail('broken')) : content,
    );
    const before = store.bytes.size;
    for (let tries = 0; tries < 4; tries++) {
      await round();
      now += MINUTE;
    }
    expect(rendered.toSorted()).toEqual(['broken', 'broken', 'good']);
    expect(store.bytes.size).toBe(before);
    const rows = [await row(good), await row(broken)];
    expect(rows.map((each) => [each.thumbnail_key, fromRow(each).picture])).toEqual([
      ['old', FACTS],
      ['old', null],
    ]);
  });

  test('a signal starts rendering, except on a stopped node', async () => {
    const done = Promise.withResolvers<void>();
    const { start, stop, notify } = node((content) => {
      done.resolve();
      return content;
    });
    start({ takesOver: true });
    const id = await addPicture();
    notify();
    await done.promise;
    await stop();
    expect((await row(id)).thumbnail_state).toBe('made');
    const later = await addPicture();
    notify();
    await node().stop();
    expect((await row(later)).thumbnail_state).toBe('pending');
  });

  test('several nodes render each file once', async () => {
    await Promise.all(Array.from({ length: 12 }, (_, index) => addPicture(String(index))));
    const nodes = [node(), node(), node()];
    await Promise.all(nodes.map(({ round }) => round()));
    const rendered = nodes.flatMap((each) => each.rendered);
    expect(rendered.toSorted()).toEqual(Array.from({ length: 12 }, (_, index) => String(index)).toSorted());
  });

  test('an unusable picture is retried once', async () => {
    const id = await addPicture();
    const { round, rendered } = node(() => Promise.reject(new NoThumbnail('broken')));
    await round();
    expect((await row(id)).thumbnail_state).toBe('pending');
    await round();
    expect(rendered).toHaveLength(1);
    now += MINUTE;
    await round();
    now += 60 * MINUTE;
    await round();
    expect(rendered).toHaveLength(2);
    expect(await row(id)).toMatchObject({ thumbnail_state: 'failed', thumbnail_key: null });
  });

  test('a picture that killed its process twice is not retried', async () => {
    const id = await addPicture('deadly', { thumbnail_attempts: 2, thumbnail_lease_until: now - 1 });
    const { round, rendered } = node();
    await round();
    expect(rendered).toEqual([]);
    expect((await row(id)).thumbnail_state).toBe('failed');
  });

  test('a dead process’s lease is taken over only when it ends', async () => {
    const id = await addPicture('left', { thumbnail_attempts: 1, thumbnail_lease_until: now + MINUTE });
    const { round } = node();
    await round();
    expect((await row(id)).thumbnail_state).toBe('pending');
    now += MINUTE;
    await round();
    expect((await row(id)).thumbnail_state).toBe('made');
  });

  test('a failure not caused by the picture does not count', async () => {
    const id = await addPicture();
    let broken = true;
    const { round } = node((content) => (broken ? Promise.reject(new Error('no space left')) : content));
    for (let failure = 0; failure < 5; failure++) {
      await round();
      now += 10 * MINUTE;
    }
    expect(await row(id)).toMatchObject({ thumbnail_state: 'pending', thumbnail_attempts: 0 });
    broken = false;
    await round();
    expect((await row(id)).thumbnail_state).toBe('made');
  });

  test('a file with a missing blob has none', async () => {
    const id = await addPicture();
    store.bytes.clear();
    const { round } = node();
    await round();
    now += MINUTE;
    await round();
    expect((await row(id)).thumbnail_state).toBe('failed');
  });

  test('a thumbnail of replaced bytes is not kept', async () => {
    const id = await addPicture('old');
    const { round } = node(async (content) => {
      if (content !== 'old') return content;
      const blobKey = newId();
      store.bytes.set(blobKey, Buffer.from('new'));
      await database.transaction((trx) =>
        trx
          .updateTable('files')
          .set({ blob_key: blobKey, size_bytes: 3, thumbnail_attempts: 0, thumbnail_lease_until: null })
          .where('id', '=', id)
          .execute(),
      );
      return 'small old';
    });
    await round();
    const { thumbnail_key } = await row(id);
    expect(Buffer.from(store.bytes.get(thumbnail_key ?? '') ?? '').toString()).toBe('new');
    expect([...store.bytes.values()].map(String)).not.toContain('small old');
  });

  test('a deleted file waits until it is restored', async () => {
    const id = await addPicture('gone', { deleted_at: now });
    const { round, rendered } = node();
    await round();
    expect(rendered).toEqual([]);
    expect((await row(id)).thumbnail_state).toBe('pending');
  });
});
