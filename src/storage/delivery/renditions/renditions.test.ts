import { beforeEach, describe, expect, test } from 'bun:test';
import { DATABASES, freshDatabase, withClock } from '../../../../test/harness/database.ts';
import { addFileRow, addWorkspace } from '../../../../test/harness/storage-rows.ts';
import { until } from '../../../../test/harness/until.ts';
import { JobInterrupted } from '../../../kernel/compute/start-child.ts';
import type { Database } from '../../../kernel/database/database.ts';
import { createLocalSignals } from '../../../kernel/database/signals.ts';
import { newId } from '../../../kernel/ids.ts';
import { createLog } from '../../../kernel/log.ts';
import { checkedContent } from '../../blobs/checked.ts';
import { BlobMissing, type BlobRange, type Blobs } from '../../blobs/port.ts';
import { fromRow, NO_FACTS } from '../../tree/files/file.ts';
import { countPending } from './claims.ts';
import { NoRendition } from './decoder.ts';
import { createRenditions } from './renditions.ts';

const MINUTE = 60_000;
const FACTS = {
  width: 40,
  height: 20,
  takenAt: 5,
  takenOffset: 60,
  camera: 'Camera of Ada',
  placeholder: 'cGl4ZWxz',
  durationMs: null,
};

/** A blob store in memory with the methods that the queue uses. */
function memoryBlobs() {
  const bytes = new Map<string, Uint8Array>();
  let free = Number.POSITIVE_INFINITY;
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
    read(key: string, size: number, _?: BlobRange, crc32?: number) {
      const found = bytes.get(key) as Uint8Array<ArrayBuffer> | undefined;
      if (!found) throw new BlobMissing(key);
      return crc32 === undefined ? found : checkedContent(found, { key, size, crc32 });
    },
    async delete(key: string) {
      bytes.delete(key);
    },
    freeBytes: () => free,
  } as unknown as Blobs;
  return {
    bytes,
    blobs,
    leave(left: number) {
      free = left;
    },
  };
}

describe.each(DATABASES)('renditions on %s', (kind) => {
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
      crc32: Bun.hash.crc32(content),
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

  const stored = (key: string | null) => store.bytes.get(key ?? '')?.toString();

  /** Whether there are many short requests. */
  let areMany = false;

  /** A node whose renderer records its inputs. */
  function node(
    render: (
      content: string,
      kind: string,
      mayContinue?: (cpuMs: number) => boolean,
    ) => Promise<string> | string = (content, kind) => `${kind} of ${content}`,
    atOnce = 2,
    retryMs?: number,
  ) {
    const rendered: string[] = [];
    const read: string[] = [];
    const owners: string[] = [];
    const renditions = createRenditions({
      database,
      blobs: store.blobs,
      signals,
      clock,
      log,
      shortRequests: { areMany: () => areMany },
      atOnce,
      retryMs,
      media: {
        async read({ blobKey }) {
          const content = stored(blobKey) ?? '';
          read.push(content);
          if (content === 'broken') throw new NoRendition(content);
          return FACTS;
        },
        stop() {},
      },
      renderer: {
        async render({ chunks, owner, mayContinue }, kinds) {
          owners.push(owner);
          const content = Buffer.concat(await Array.fromAsync(chunks)).toString();
          rendered.push(content);
          const bytes = await Promise.all(kinds.map((kind) => render(content, kind, mayContinue)));
          return kinds.map((kind, index) => ({ kind, bytes: Buffer.from(bytes[index] ?? ''), facts: FACTS }));
        },
        stop() {},
      },
    });
    return { ...renditions, rendered, read, owners };
  }

  test('a waiting thumbnail is rendered and recorded in the file’s row', async () => {
    const ids = await Promise.all(['one', 'two', 'three'].map((content) => addPicture(content)));
    const { round, rendered } = node();
    await round();
    expect(rendered.toSorted()).toEqual(['one', 'three', 'two']);
    const made = await row(ids[0] ?? '');
    expect([made.thumbnail_state, made.thumbnail_lease_until]).toEqual(['made', null]);
    expect(stored(made.thumbnail_key)).toBe('thumbnail of one');
    expect([stored(made.preview_key), made.preview_of]).toEqual(['preview of one', made.blob_key]);
    expect(fromRow(made).facts).toEqual(FACTS);
    await round();
    expect(rendered).toHaveLength(3);
  });

  test('a picture of which the store sends other bytes is rendered later', async () => {
    const id = await addPicture('picture', { crc32: Bun.hash.crc32('as stored') });
    const { round, rendered } = node();
    await round();
    expect(rendered).toEqual([]);
    expect((await row(id)).thumbnail_state).toBe('pending');
  });

  test('pictures are rendered one at a time while there are many short requests, then several at once', async () => {
    for (const content of ['one', 'two', 'three']) await addPicture(content);
    let running = 0;
    let peak = 0;
    areMany = true;
    const { round } = node(async (content, kind) => {
      if (kind !== 'thumbnail') return content;
      peak = Math.max(peak, ++running);
      await countPending(database);
      running--;
      return content;
    });
    await round();
    expect(peak).toBe(1);

    for (const content of ['first', 'second', 'third']) await addPicture(content);
    const both = Promise.withResolvers<void>();
    const { round: next, rendered } = node(async (content, kind) => {
      if (kind !== 'thumbnail') return content;
      if (rendered.length === 1) areMany = false;
      else if (rendered.length === 3) both.resolve();
      else await both.promise;
      return content;
    });
    await next();
    expect(rendered).toHaveLength(3);
  });

  test('the uploads of a member in a workspace have one owner, and each upload of a visitor has its own', async () => {
    const other = newId();
    await addWorkspace(database, { id: other });
    for (const workspace_id of [workspaceId, other])
      for (const created_by of ['ada', 'ada', 'bob', null, null])
        await addPicture('picture', { workspace_id, created_by });
    const { round, owners } = node();
    await round();
    expect(owners).toHaveLength(10);
    expect(new Set(owners).size).toBe(8);
  });

  test('a replaced picture, whose bytes another member may have chosen, has a separate owner', async () => {
    for (const content_date of [null, null, now, now])
      await addPicture('picture', { created_by: 'ada', content_date });
    const { round, owners } = node();
    await round();
    expect(new Set(owners).size).toBe(3);
  });

  test('the preview and the facts of a picture with a thumbnail follow', async () => {
    const old = { thumbnail_state: 'made', thumbnail_key: 'old', thumbnail_attempts: 2 };
    const [good, broken] = [await addPicture('good', old), await addPicture('broken', old)];
    const { round, rendered } = node((content) =>
      content === 'broken' ? Promise.reject(new NoRendition('broken')) : content,
    );
    for (let tries = 0; tries < 4; tries++) {
      await round();
      now += MINUTE;
    }
    expect(rendered.toSorted()).toEqual(['broken', 'broken', 'good']);
    const rows = [await row(good), await row(broken)];
    expect(rows.map((each) => [each.thumbnail_key, fromRow(each).facts, stored(each.preview_key)])).toEqual([
      ['old', FACTS, 'good'],
      ['old', NO_FACTS, undefined],
    ]);
    expect(rows.map((each) => fromRow(each).preview.state)).toEqual(['made', 'failed']);
  });

  test('a picture with a preview from before placeholders is rendered once more, and keeps it meanwhile', async () => {
    const made = { thumbnail_state: 'made', thumbnail_key: 'old', preview_key: 'old preview' };
    const id = await addPicture('old', made);
    const { blob_key } = await row(id);
    const impossible = await addPicture('impossible', { ...made, preview_key: null });
    await database.transaction(async (trx) => {
      await trx.updateTable('files').set({ preview_of: blob_key }).where('id', '=', id).execute();
      const { blob_key: other } = await row(impossible);
      await trx.updateTable('files').set({ preview_of: other }).where('id', '=', impossible).execute();
    });
    const { round, rendered } = node(async (content) => {
      expect(fromRow(await row(id)).preview).toEqual({ state: 'made', key: 'old preview' });
      return content;
    });
    await round();
    await round();
    expect(rendered).toEqual(['old']);
    const { facts, preview } = fromRow(await row(id));
    expect([facts, stored(preview.key)]).toEqual([FACTS, 'old']);
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

  test('the pictures of one workspace do not delay those of another', async () => {
    const workspaces = [workspaceId, newId(), newId()];
    for (const id of workspaces.slice(1)) await addWorkspace(database, { id });
    const names = ['a', 'b', 'c'];
    for (const [index, name] of names.entries())
      for (let picture = 0; picture < 3; picture++)
        await addPicture(name, { workspace_id: workspaces[index] });
    const { round, rendered } = node(undefined, 1);
    await round();
    const turns = [0, 3, 6].map((at) => rendered.slice(at, at + 3).toSorted());
    expect(turns).toEqual([names, names, names]);
  });

  test('pictures that take long leave a slot to another workspace, and are rendered afterwards', async () => {
    const other = newId();
    await addWorkspace(database, { id: other });
    const long = [await addPicture('long'), await addPicture('long')];
    let isReleased = false;
    const { poll, rendered, stop } = node(async (content, _, mayContinue) => {
      let cpuMs = 0;
      const isEnded = () => {
        cpuMs += 1_000;
        return isReleased || mayContinue?.(cpuMs) === false;
      };
      if (content === 'long') await until(isEnded);
      if (content === 'long' && !isReleased) throw new JobInterrupted();
      return content;
    });
    poll();
    await until(() => rendered.length === 2);
    const id = await addPicture('other', { workspace_id: other });
    poll();
    await until(async () => (await row(id)).thumbnail_state === 'made');
    const attempts = await Promise.all(long.map(async (each) => (await row(each)).thumbnail_attempts));
    expect(attempts.toSorted()).toEqual([0, 1]);
    isReleased = true;
    now += 2 * MINUTE;
    poll();
    for (const each of long) await until(async () => (await row(each)).preview_key !== null);
    await stop();
  });

  test('the pictures of one workspace do not delay the facts of another', async () => {
    const other = newId();
    await addWorkspace(database, { id: other });
    for (const name of ['a', 'b', 'c']) await addPicture(name);
    const played = { workspace_id: other, mime_type: 'video/mp4', thumbnail_state: 'none' };
    await addPicture('video', played);
    const readBefore: number[] = [];
    const { round, read } = node((content, kind) => {
      if (kind === 'thumbnail') readBefore.push(read.length);
      return content;
    }, 1);
    await round();
    expect(readBefore).toEqual([0, 1, 1]);
  });

  test('an unusable picture is retried once', async () => {
    const id = await addPicture();
    const { round, rendered } = node(() => Promise.reject(new NoRendition('broken')));
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

  test('an unusable picture is retried without another signal', async () => {
    const id = await addPicture();
    // The clock must be advanced before the timer of the retry ends, even on a busy machine.
    const retryMs = 1_000;
    const failing = node(() => Promise.reject(new NoRendition('broken')), 1, retryMs);
    await failing.round();
    now += retryMs;
    await until(async () => (await row(id)).thumbnail_state === 'failed');
    expect(failing.rendered).toHaveLength(2);
    await failing.stop();
  });

  test('a damaged picture keeps the facts of its header', async () => {
    const facts = { ...FACTS, placeholder: null };
    const old = { thumbnail_state: 'made', thumbnail_key: 'old', placeholder: 'b2xk' };
    const [id, former] = [await addPicture(), await addPicture('picture', old)];
    const { round } = node(() => Promise.reject(new NoRendition('damaged', facts)));
    for (let tries = 0; tries < 4; tries++) {
      await round();
      now += MINUTE;
    }
    expect(fromRow(await row(id)).facts).toEqual(facts);
    expect(await row(former)).toMatchObject({ placeholder: 'b2xk', preview_key: null });
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

  test('a picture that is postponed again waits twice as long', async () => {
    await addPicture();
    const { round, rendered } = node(() => Promise.reject(new Error('too little CPU time')));
    const attempts: number[] = [];
    for (let minute = 0; minute < 4; minute++) {
      await round();
      attempts.push(rendered.length);
      now += MINUTE + 1;
    }
    expect(attempts).toEqual([1, 2, 2, 3]);
  });

  test('a file with a missing blob has no rendition', async () => {
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
          .set({
            blob_key: blobKey,
            size_bytes: 3,
            crc32: Bun.hash.crc32('new'),
            thumbnail_attempts: 0,
            thumbnail_lease_until: null,
          })
          .where('id', '=', id)
          .execute(),
      );
      return 'rendition of old';
    });
    await round();
    const { thumbnail_key, preview_key } = await row(id);
    expect([stored(thumbnail_key), stored(preview_key)]).toEqual(['new', 'new']);
    expect([...store.bytes.values()].map(String)).not.toContain('rendition of old');
  });

  test('a deleted file waits until it is restored', async () => {
    const id = await addPicture('gone', { deleted_at: now });
    const { round, rendered } = node();
    await round();
    expect(rendered).toEqual([]);
    expect((await row(id)).thumbnail_state).toBe('pending');
  });

  test('audio and video that an earlier version stored are read once, and again when they are replaced', async () => {
    const id = await addPicture('song', { mime_type: 'audio/mpeg', thumbnail_state: 'none' });
    await addPicture('words', { mime_type: 'text/plain', thumbnail_state: 'none' });
    const { round, read } = node();
    await round();
    await round();
    expect(read).toEqual(['song']);
    const { facts, thumbnail, preview } = fromRow(await row(id));
    expect([facts, thumbnail.state, preview.state]).toEqual([FACTS, 'none', 'none']);
    const blobKey = newId();
    store.bytes.set(blobKey, Buffer.from('next'));
    await database.transaction((trx) =>
      trx.updateTable('files').set({ blob_key: blobKey }).where('id', '=', id).execute(),
    );
    await round();
    expect(read).toEqual(['song', 'next']);
  });

  test('audio that cannot be read is tried twice', async () => {
    const id = await addPicture('broken', { mime_type: 'audio/mpeg', thumbnail_state: 'none' });
    const { round, read } = node();
    for (let tries = 0; tries < 4; tries++) {
      await round();
      now += MINUTE;
    }
    expect(read).toEqual(['broken', 'broken']);
    expect(fromRow(await row(id)).facts).toEqual(NO_FACTS);
  });

  test('a thumbnail stays when its preview fails', async () => {
    const id = await addPicture('picture', { thumbnail_attempts: 1 });
    const { round, rendered } = node((content, kind) =>
      kind === 'preview' ? Promise.reject(new NoRendition('too large')) : content,
    );
    for (let tries = 0; tries < 5; tries++) {
      await round();
      now += MINUTE;
    }
    expect(rendered).toHaveLength(3);
    const { thumbnail, preview } = fromRow(await row(id));
    expect([thumbnail.state, preview.state]).toEqual(['made', 'failed']);
  });

  test('a preview is rendered again when an older program, without previews, has replaced the bytes', async () => {
    const id = await addPicture('new', {
      thumbnail_state: 'made',
      thumbnail_key: 'thumbnail',
      preview_of: 'old bytes',
      preview_key: 'preview of old bytes',
    });
    expect(fromRow(await row(id)).preview).toEqual({ state: 'pending', key: null });
    await node().round();
    expect(stored((await row(id)).preview_key)).toBe('preview of new');
  });

  test('files that lack something are counted', async () => {
    const made = { thumbnail_state: 'made', thumbnail_key: 'old' };
    await addPicture('without any');
    await addPicture('without a preview', made);
    await addPicture('audio', { mime_type: 'audio/mpeg', thumbnail_state: 'none' });
    await addPicture('deleted', { deleted_at: now });
    await addPicture('failed', { thumbnail_state: 'failed' });
    await addPicture('text', { mime_type: 'text/plain', thumbnail_state: 'none' });
    expect(await countPending(database)).toBe(3);
    await node().round();
    expect(await countPending(database)).toBe(0);
  });

  test('only thumbnails are rendered while the disk is nearly full', async () => {
    const id = await addPicture('one');
    store.leave(1_000_000);
    await node().round();
    expect(await row(id)).toMatchObject({
      thumbnail_state: 'made',
      preview_key: null,
      thumbnail_lease_until: null,
    });
    store.leave(Number.POSITIVE_INFINITY);
    await node().round();
    expect(stored((await row(id)).preview_key)).toBe('preview of one');
  });

  test('a picture that a request waits for is rendered before others', async () => {
    const made = { thumbnail_state: 'made', thumbnail_key: 'old' };
    const ids = [];
    for (const content of ['one', 'two', 'three']) ids.push(await addPicture(content, made));
    const { hurry, round, rendered } = node(undefined, 1);
    hurry(ids[2] ?? '');
    await round();
    expect([rendered[0], rendered.toSorted()]).toEqual(['three', ['one', 'three', 'two']]);
  });

  test('pictures that requests wait for take turns with others', async () => {
    const made = { thumbnail_state: 'made', thumbnail_key: 'old' };
    const ids = [];
    for (const content of ['1', '2', '3', '4', '5', '6']) ids.push(await addPicture(content, made));
    const { hurry, round, rendered } = node(undefined, 1);
    for (const id of ids.slice(3)) hurry(id);
    await round();
    const areHurried = rendered.map((content) => content > '3');
    expect(areHurried).toEqual([true, false, true, false, true, false]);
  });
});
