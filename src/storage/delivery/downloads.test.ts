import { beforeAll, describe, expect, test } from 'bun:test';
import { DATABASES, freshDatabase } from '../../../test/harness/database.ts';
import { addFileRow, addWorkspace } from '../../../test/harness/storage-rows.ts';
import { HOUR, MINUTE, systemClock } from '../../kernel/clock.ts';
import { createVault } from '../../kernel/crypto/vault.ts';
import type { Database } from '../../kernel/database/database.ts';
import { ROWS_AT_ONCE } from '../../kernel/database/delete-old.ts';
import { createDownloads, VISITORS_AT_MOST } from './downloads.ts';

const VISITORS = 4;

describe.each(DATABASES)('downloads by several nodes on %s', (kind) => {
  const clock = { passed: 0, now: () => Date.now() + clock.passed };
  let database: Database;
  let nodes: ReturnType<typeof createDownloads>[];
  beforeAll(async () => {
    database = await freshDatabase(kind);
    await addWorkspace(database, { id: 'one' });
    const vault = createVault(Buffer.alloc(32, 1));
    nodes = [1, 2, 3].map(() => createDownloads({ database, vault, clock, of: 'file' }));
  });

  let files = 0;
  async function addFile(maxDownloads: number | null) {
    const name = `file ${files++}`;
    const names = { original_name: name, name_key: name };
    const id = await addFileRow(database, { workspace_id: 'one', ...names, max_downloads: maxDownloads });
    return { id, maxDownloads };
  }
  async function countOf(id: string): Promise<number> {
    const row = await database.read
      .selectFrom('files')
      .select('download_count')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    return row.download_count;
  }
  /** Advances the time of the nodes and of the rows. */
  async function pass(ms: number) {
    clock.passed += ms;
    await database.transaction((trx) =>
      trx
        .updateTable('download_grants')
        .set((set) => ({ expires_at: set('expires_at', '-', ms) }))
        .execute(),
    );
  }
  /** Downloads a file once by each node for each visitor, all at once; returns the number of those refused. */
  async function downloadByAll(file: { id: string; maxDownloads: number | null }): Promise<number> {
    const takes = nodes.flatMap((node) =>
      Array.from({ length: VISITORS }, (_, visitor) =>
        Promise.resolve(node.take(file, { address: `192.0.2.${visitor}`, userAgent: 'test' })),
      ),
    );
    const results = await Promise.allSettled(takes);
    await Promise.all(nodes.map((node) => node.flush()));
    return results.filter(({ status }) => status === 'rejected').length;
  }

  test.each([null, 100])('with a limit of %p, a visitor counts once an hour on all nodes', async (limit) => {
    const file = await addFile(limit);
    expect(await downloadByAll(file)).toBe(0);
    expect(await countOf(file.id)).toBe(VISITORS);
    await pass(HOUR - MINUTE);
    await downloadByAll(file);
    expect(await countOf(file.id)).toBe(VISITORS);
    await pass(MINUTE);
    await downloadByAll(file);
    expect(await countOf(file.id)).toBe(2 * VISITORS);
  });

  test('a limit below the number of visitors admits as many on all nodes, again and again', async () => {
    const file = await addFile(VISITORS - 1);
    expect(await downloadByAll(file)).toBe(nodes.length);
    expect(await downloadByAll(file)).toBe(nodes.length);
    expect(await countOf(file.id)).toBe(VISITORS - 1);
  });

  test('a node counts a bounded number of visitors of a file in an hour', async () => {
    const [node] = nodes;
    const [file, other] = [await addFile(null), await addFile(null)];
    const visit = async (count: number) => {
      for (let visitor = 0; visitor < count; visitor++)
        node?.take(file, { address: '192.0.2.1', userAgent: `${clock.passed} ${visitor}` });
      node?.take(other, { address: '192.0.2.1', userAgent: `${clock.passed}` });
      await node?.flush();
    };
    await visit(VISITORS_AT_MOST + 1);
    expect([await countOf(file.id), await countOf(other.id)]).toEqual([VISITORS_AT_MOST, 1]);
    await pass(HOUR);
    await visit(1);
    expect([await countOf(file.id), await countOf(other.id)]).toEqual([VISITORS_AT_MOST + 1, 2]);
  });

  test('beyond that number, each request for a file with a limit counts, and stores no grant', async () => {
    const [node] = nodes;
    const { id } = await addFile(3);
    for (let visitor = 0; visitor < VISITORS_AT_MOST; visitor++)
      void node?.take({ id, maxDownloads: null }, { address: '192.0.2.1', userAgent: `many ${visitor}` });
    const take = async () =>
      await node?.take({ id, maxDownloads: 3 }, { address: '192.0.2.2', userAgent: 'x' });
    await take();
    await take();
    await take();
    await expect(take()).rejects.toMatchObject({ code: 'download_limit_reached' });
    expect(await countOf(id)).toBe(3);
    const grants = database.read.selectFrom('download_grants').select('visitor').where('file_id', '=', id);
    expect(await grants.execute()).toEqual([]);
    await pass(HOUR);
    await node?.flush();
  });

  test('deletes expired grants, however many there are', async () => {
    const grants = () => database.read.selectFrom('download_grants').select('visitor').execute();
    await pass(HOUR);
    const [file, [node]] = [await addFile(null), nodes];
    node?.take(file, { address: '192.0.2.1', userAgent: 'new' });
    await node?.flush();
    expect((await grants()).length).toBeGreaterThan(2 * ROWS_AT_ONCE);
    await node?.sweep();
    expect(await grants()).toHaveLength(1);
  });
});

test('long user agents of many visitors are not kept in memory', async () => {
  const database = await freshDatabase('sqlite');
  const vault = createVault(Buffer.alloc(32, 1));
  const downloads = createDownloads({ database, vault, clock: systemClock, of: 'file' });
  const used = () => {
    Bun.gc(true);
    return process.memoryUsage().heapUsed;
  };
  const before = used();
  for (let visitor = 0; visitor < 2_000; visitor++) {
    const userAgent = `${visitor} ${'x'.repeat(15_000)}`;
    downloads.take({ id: 'file', maxDownloads: null }, { address: '192.0.2.1', userAgent });
  }
  expect(used() - before).toBeLessThan(10_000_000);
  downloads.take({ id: 'file', maxDownloads: null }, { address: '192.0.2.1', userAgent: '' });
});
