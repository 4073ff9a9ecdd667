import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { BACKENDS, freshSettings } from './harness/backends.ts';
import { filesOf, type Metadata } from './harness/files.ts';
import { sendJson } from './harness/json.ts';
import { addPerson, type Posthouse, startPosthouse } from './harness/posthouse.ts';
import { refusal } from './harness/refusal.ts';
import { tusOf } from './harness/tus.ts';

const FAILED = [409, 'name_taken'];

describe.each(BACKENDS)('files of one name in a folder on %s', (backend) => {
  let posthouse: Posthouse;
  let headers: Record<string, string>;
  let files: ReturnType<typeof filesOf>;
  let tus: ReturnType<typeof tusOf>;
  beforeAll(async () => {
    const settings = await freshSettings(backend);
    posthouse = await startPosthouse(settings);
    ({ headers } = await addPerson(settings, 'ann@example.org'));
    files = filesOf(posthouse, headers);
    tus = tusOf(posthouse, headers);
  });
  afterAll(() => posthouse.stop());

  const newFolder = () => files.newFolder(crypto.randomUUID());
  const send = (folder: string, name: string, content: string, fields: Record<string, string>) => {
    const form = new FormData();
    form.set('file', new Blob([content]), name);
    for (const [field, value] of Object.entries(fields)) form.set(field, value);
    return posthouse.fetch(`/api/storage/files/${folder}`, { method: 'POST', headers, body: form });
  };
  const idOf = async (answer: Response) => ((await answer.json()) as { Id: string }).Id;
  const namesIn = async (folder: string) =>
    (await files.read<Metadata[]>(`/api/storage/files/${folder}`))
      .map(({ originalName }) => originalName)
      .sort();
  const textOf = async (id: string) => await (await files.get(`/api/storage/files/${id}/content`)).text();
  const move = (id: string, targetFolderId: string, onConflict?: string) =>
    files.post(`/api/storage/files/${id}/move`, { targetFolderId, onConflict });

  test('are kept, numbered or refused on upload, by names without case', async () => {
    const folder = await newFolder();
    await files.upload('1', { name: 'Ä.txt', folder });
    expect((await send(folder, 'a\u0308.TXT', '2', {})).status).toBe(201);
    expect(await refusal(send(folder, 'ä.txt', '3', { onConflict: 'fail' }))).toEqual(FAILED);
    expect((await send(folder, 'ä.TXT', '4', { onConflict: 'rename' })).status).toBe(201);
    expect((await send(folder, 'ä.TXT', '5', { onConflict: 'rename' })).status).toBe(201);
    expect(await namesIn(folder)).toEqual(['a\u0308.TXT', 'Ä.txt', 'ä (2).TXT', 'ä (3).TXT'].sort());
    const unknown = await send(folder, 'x', '6', { onConflict: 'overwrite' });
    expect(await refusal(unknown)).toEqual([400, 'invalid_request']);
  });

  test('are replaced on upload: the newest keeps its id, links and secrets unless others are sent', async () => {
    const folder = await newFolder();
    const older = await files.upload('older', { name: 'plan.txt', folder });
    const { id } = await files.upload('newest', { name: 'Plan.txt', folder });
    const before = await files.change(id, { visibility: 1, filePassword: 'secret' });
    const used = await files.usedBytes();
    expect(await idOf(await send(folder, 'PLAN.txt', 'second', { onConflict: 'replace' }))).toBe(id);
    expect(await files.usedBytes()).toBe(used);
    expect(await files.metadata(id)).toMatchObject({
      originalName: 'Plan.txt',
      visibility: 1,
      hasFilePassword: true,
      directToken: before.directToken,
    });
    expect(await textOf(id)).toBe('second');
    const third = { onConflict: 'replace', visibility: '0', accessKey: 'true' };
    expect(await idOf(await send(folder, 'plan.txt', 'third', third))).toBe(id);
    expect(await files.metadata(id)).toMatchObject({
      visibility: 0,
      hasFilePassword: true,
      hasAccessKey: true,
    });
    expect(await textOf(older.id)).toBe('older');
    expect(await namesIn(folder)).toHaveLength(2);
  });

  test('are decided by resumable uploads too, at their beginning and end', async () => {
    const folder = await newFolder();
    const { id } = await files.upload('1', { name: 'a.bin', folder });
    const given = (onConflict: string) => ({ filename: 'A.bin', folderId: folder, onConflict });
    expect(await refusal(tus.create(3, given('fail')))).toEqual(FAILED);
    const renamed = await tus.begin(3, given('rename'));
    expect((await tus.patch(renamed, 0, 'two')).status).toBe(204);
    const replaced = await tus.begin(3, given('replace'));
    expect((await tus.patch(replaced, 0, 'new')).headers.get('Posthouse-File-Id')).toBe(id);
    expect(await textOf(id)).toBe('new');
    const late = await tus.begin(3, { filename: 'late.bin', folderId: folder, onConflict: 'fail' });
    await files.upload('first', { name: 'late.bin', folder });
    expect(await refusal(tus.patch(late, 0, 'end'))).toEqual(FAILED);
    expect(await tus.offset(late)).toBeNull();
    expect(await namesIn(folder)).toEqual(['A (2).bin', 'a.bin', 'late.bin']);
  });

  test('are decided by moves and renames', async () => {
    const [from, to] = [await newFolder(), await newFolder()];
    const there = await files.change((await files.upload('there', { name: 'a.txt', folder: to })).id, {
      visibility: 1,
    });
    const moved = await files.upload('moved', { name: 'A.txt', folder: from });
    expect(await refusal(move(moved.id, to, 'fail'))).toEqual(FAILED);
    expect(await namesIn(from)).toEqual(['A.txt']);
    expect(await (await move(moved.id, to, 'rename')).json()).toMatchObject({
      id: moved.id,
      originalName: 'A (2).txt',
    });
    const refused = await files.patch(moved.id, { originalName: 'a.TXT', onConflict: 'fail' });
    expect(await refusal(refused)).toEqual(FAILED);
    expect(
      (await files.change(moved.id, { originalName: 'A (2).TXT', onConflict: 'fail' })).originalName,
    ).toBe('A (2).TXT');
    const replaced = await files.change(moved.id, { originalName: 'a.txt', onConflict: 'replace' });
    expect(replaced).toMatchObject({ id: there.id, visibility: 1, directToken: there.directToken });
    expect(await textOf(there.id)).toBe('moved');
    expect((await files.get(`/api/storage/files/${moved.id}/metadata`)).status).toBe(404);
    expect(await namesIn(to)).toEqual(['a.txt']);
    // The file that was moved is in the trash, under the name that it had.
    expect((await files.post(`/api/storage/trash/${moved.id}/restore`)).status).toBe(200);
    expect(await textOf(moved.id)).toBe('moved');
    expect((await files.metadata(moved.id)).directToken).toBe(moved.directToken);
    expect(await namesIn(to)).toEqual(['A (2).TXT', 'a.txt']);
    await files.remove(moved.id);
    const plain = await files.upload('plain', { name: 'a.txt', folder: from });
    expect((await move(plain.id, to)).status).toBe(200);
    expect(await namesIn(to)).toEqual(['a.txt', 'a.txt']);
  });

  test('are kept by a restore, and numbered or refused for folders', async () => {
    const folder = await newFolder();
    const { id } = await files.upload('1', { name: 'a.txt', folder });
    await files.remove(id);
    await files.upload('2', { name: 'a.txt', folder });
    const restore = (entry: string) =>
      files.post(`/api/storage/trash/${entry}/restore`, { onConflict: 'keep' });
    expect((await restore(id)).status).toBe(200);
    expect(await namesIn(folder)).toEqual(['a.txt', 'a.txt']);

    const change = (entry: string, body: object) =>
      sendJson(posthouse, 'PATCH', `/api/storage/folders/${entry}`, body, headers);
    const [first, second] = [await files.newFolder('one', folder), await files.newFolder('two', folder)];
    expect(await refusal(change(second, { name: 'ONE' }))).toEqual(FAILED);
    expect(await refusal(change(second, { name: 'ONE', onConflict: 'replace' }))).toEqual([
      400,
      'invalid_request',
    ]);
    const renamed = await change(second, { name: 'ONE', onConflict: 'rename' });
    expect(await renamed.json()).toMatchObject({ id: second, name: 'ONE (2)' });
    expect(await (await change(first, { name: 'One', onConflict: 'rename' })).json()).toMatchObject({
      name: 'One',
    });
    const elsewhere = await files.newFolder('one', await newFolder());
    const moved = await change(elsewhere, { parentFolderId: folder, onConflict: 'rename' });
    expect(await moved.json()).toMatchObject({ id: elsewhere, name: 'one (3)' });
  });

  test('two uploads of one name at once: one succeeds with “fail”, both with “rename”', async () => {
    const folder = await newFolder();
    const both = (onConflict: string) =>
      Promise.all(
        Array.from({ length: 4 }, async () => (await send(folder, 'race.txt', 'x', { onConflict })).status),
      );
    expect((await both('fail')).sort()).toEqual([201, 409, 409, 409]);
    expect(await both('rename')).toEqual([201, 201, 201, 201]);
    expect(await namesIn(folder)).toEqual(
      ['race.txt', ...[2, 3, 4, 5].map((number) => `race (${number}).txt`)].sort(),
    );
  });
});
