import { describe, expect, test } from 'bun:test';
import { filesApp } from '../harness/files-app.ts';
import { createTeam, filesIn } from '../harness/teams.ts';
import { treeOf } from '../harness/trees.ts';

describe('changes in the web app', () => {
  const { files, open, posthouse, seat } = filesApp('/files', {
    POSTHOUSE_WORKSPACE_CREATORS: 'everyone',
  });
  const textOf = async (id: string) => await (await files.get(`/api/storage/files/${id}/content`)).text();

  const row = (name: string) =>
    seat.page.getByRole('row').filter({ has: seat.page.getByText(name, { exact: true }) });
  const dialog = (name: string | RegExp) => seat.page.getByRole('dialog', { name });
  const toolbar = (action: string) =>
    seat.page.getByRole('toolbar').getByRole('button', { name: action }).click();
  /** Waits for a notification and undoes what it reports. */
  const undo = async (done: string, undone: string) => {
    await seat.page.getByText(done).waitFor();
    await seat.page.getByRole('button', { name: 'Undo' }).click();
    await seat.page.getByText(undone).waitFor();
  };
  const select = async (...names: string[]) => {
    for (const name of names) await row(name).getByRole('checkbox').click();
  };
  const moveTo = async (folder: string) => {
    await toolbar('Move');
    await dialog(/^Move/).getByRole('button', { name: folder }).click();
    await dialog(/^Move/)
      .getByRole('button', { name: `Move to “${folder}”` })
      .click();
  };
  const rename = async (name: string, to: string) => {
    await row(name).click({ button: 'right' });
    await seat.page.getByRole('menuitem', { name: /^Rename/ }).click();
    await seat.page.getByLabel('New name').fill(to);
    await seat.page.getByRole('button', { name: 'Rename' }).click();
  };
  const answer = (name: string, choice: string) =>
    dialog(`“${name}” already exists`).getByRole('button', { name: choice }).click();

  test('a deleted tree with a shared file is put back by “Undo”, byte for byte', async () => {
    const photos = await files.newFolder('Photos');
    const street = await files.newFolder('Street', photos);
    await files.newFolder('Empty', street);
    for (let index = 0; index < 12; index++) {
      const bytes = crypto.getRandomValues(new Uint8Array(2_000 + index));
      await files.upload(bytes, { name: `${index}.jpg`, folder: index % 2 ? photos : street });
    }
    const shared = await files.upload('for everyone', { name: 'shared.txt', folder: street });
    await files.change(shared.id, { visibility: 1, filePassword: 'a password' });
    await files.upload('beside', { name: 'beside.txt' });
    await files.upload('beside too', { name: 'beside.txt' });
    const link = `/api/storage/public/media/${shared.directToken}?filePassword=a+password`;
    const before = await treeOf(files);

    const page = await open();
    await row('Photos').waitFor();
    await page.getByRole('grid').press('ControlOrMeta+a');
    await toolbar('Delete');
    await dialog(/^Delete/)
      .getByText('This deletes 13 files')
      .waitFor();
    await dialog(/^Delete/)
      .getByRole('button', { name: 'Delete' })
      .click();
    await page.getByText('This folder is empty').waitFor();
    await page.getByText('Deleted 3 items').waitFor();
    expect((await posthouse.fetch(link)).status).toBe(404);
    await undo('Deleted 3 items', 'Restored 3 items');
    await row('Photos').waitFor();
    expect(await treeOf(files)).toEqual(before);
    expect(await (await posthouse.fetch(link)).text()).toBe('for everyone');
    expect(await files.read<unknown[]>('/api/storage/trash')).toEqual([]);
  });

  test('moves and renames are undone', async () => {
    await files.newFolder('Archive');
    await files.newFolder('Old', await files.newFolder('Trip'));
    await files.upload('a', { name: 'a.txt' });
    const before = await treeOf(files);
    const page = await open();
    await select('Trip', 'a.txt');
    await moveTo('Archive');
    await row('Trip').waitFor({ state: 'detached' });
    expect(Object.keys(await treeOf(files)).sort()).toEqual([
      'Archive/',
      'Archive/Trip/',
      'Archive/Trip/Old/',
      'Archive/a.txt',
    ]);
    await undo('Moved 2 items to “Archive”', 'Moved 2 items back');
    await row('Trip').waitFor();
    expect(await treeOf(files)).toEqual(before);
    for (const [name, to] of [
      ['a.txt', 'b.txt'],
      ['Trip', 'Journey'],
    ] as const) {
      await rename(name, to);
      await row(to).waitFor();
      await undo(`Renamed “${name}” to “${to}”`, `Renamed “${to}” back to “${name}”`);
      await row(name).waitFor();
    }
    expect(await treeOf(files)).toEqual(before);
    expect(await page.getByRole('grid').getAttribute('aria-rowcount')).toBe('4');
  });

  test('a dialog stays open when the action of an earlier one ends', async () => {
    await files.newFolder('Target');
    await files.upload('1', { name: 'a.txt' });
    const page = await open();
    const answer = Promise.withResolvers<void>();
    await page.route('**/move', async (route) => {
      await answer.promise;
      await route.continue();
    });
    await select('a.txt');
    await moveTo('Target');
    await dialog(/^Move/).getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'New folder' }).click();
    await page.getByLabel('Folder name').fill('Typed');
    answer.resolve();
    await page.getByText('Moved “a.txt” to “Target”').waitFor();
    expect(await page.getByLabel('Folder name').inputValue()).toBe('Typed');
  });

  test('a move to another workspace is undone, also of a file that got a number there', async () => {
    const answered = await files.post('/api/storage/workspaces', { name: 'Launches' });
    const { rootFolderId } = (await answered.json()) as { rootFolderId: string };
    await files.upload('there', { name: 'a.txt', folder: rootFolderId });
    const trip = await files.newFolder('Trip');
    await files.upload('inside', { name: 'inside.txt', folder: trip });
    const { id } = await files.upload('a', { name: 'a.txt' });
    const { directToken } = await files.change(id, { visibility: 1 });
    const before = [await treeOf(files), await treeOf(files, rootFolderId)];
    const page = await open();
    await select('Trip', 'a.txt');
    await toolbar('Move');
    await dialog(/^Move/).getByLabel('Workspace').selectOption({ label: 'Launches' });
    await page.getByRole('button', { name: 'Move to “Launches”' }).click();
    await answer('a.txt', 'Keep both');
    await page.getByText('This folder is empty').waitFor();
    expect(Object.keys(await treeOf(files, rootFolderId)).sort()).toEqual([
      'Trip/',
      'Trip/inside.txt',
      'a (2).txt',
      'a.txt',
    ]);
    await undo('Moved 2 items to “Launches”', 'Moved 2 items back');
    await row('Trip').waitFor();
    expect([await treeOf(files), await treeOf(files, rootFolderId)]).toEqual(before);
    expect(await (await posthouse.fetch(`/api/storage/public/media/${directToken}`)).text()).toBe('a');
  });

  test('taken names are decided one by one or for all, and undone', async () => {
    const archive = await files.newFolder('Archive');
    const there = await files.upload('there', { name: 'A.TXT', folder: archive });
    await files.upload('there', { name: 'b.txt', folder: archive });
    for (const name of ['c.txt', 'd.txt', 'e.txt']) await files.upload('there', { name, folder: archive });
    await files.newFolder('Trip', archive);
    await files.newFolder('Trip');
    for (const name of ['a.txt', 'b.txt', 'c.txt', 'd.txt', 'e.txt', 'f.txt'])
      await files.upload('coming', { name });
    const before = await treeOf(files);
    const page = await open();
    await row('a.txt').waitFor();
    await select('a.txt', 'b.txt', 'f.txt');
    await moveTo('Archive');
    // The order of the questions is that of the server's responses.
    await Promise.all([answer('a.txt', 'Replace'), answer('b.txt', 'Keep both')]);
    await page.getByText('Moved 3 items to “Archive”').waitFor();
    expect(await textOf(there.id)).toBe('coming');
    expect(Object.keys(await treeOf(files, archive))).toEqual(
      expect.arrayContaining(['A.TXT', 'b.txt', 'b (2).txt', 'f.txt']),
    );
    await undo('Moved 3 items to “Archive”', 'Moved 3 items back');
    expect(await treeOf(files)).toEqual(before);

    await page.reload();
    await select('c.txt', 'd.txt', 'e.txt', 'Trip');
    await moveTo('Archive');
    const question = dialog(/already exists/);
    await question.waitFor();
    for (let left = 2; left > 0; left--) {
      const isFile = (await question.getByRole('button', { name: 'Replace' }).count()) > 0;
      await question.getByRole('checkbox').click();
      const title = await question.getByRole('heading').textContent();
      await question.getByRole('button', { name: isFile ? 'Skip' : 'Keep both' }).click();
      await dialog(title ?? '').waitFor({ state: 'detached' });
    }
    await page.getByText('Moved “Trip” to “Archive”').waitFor();
    expect(Object.keys(await treeOf(files))).toContain('Archive/Trip (2)/');
    await undo('Moved “Trip” to “Archive”', 'Moved “Trip” back');
    expect(await treeOf(files)).toEqual(before);
  });

  const pick = (...picked: { name: string; content: string | Buffer }[]) =>
    seat.page.getByTestId('files').setInputFiles(
      picked.map(({ name, content }) => ({
        name,
        mimeType: 'application/octet-stream',
        buffer: Buffer.from(content),
      })),
    );

  test('uploads with taken names are decided before they are sent, while the others continue', async () => {
    const ids: Record<string, string> = {};
    for (const name of ['a.txt', 'B.txt', 'c.txt', 'd.txt', 'big.bin'])
      ids[name] = (await files.upload('there', { name })).id;
    const big = Buffer.alloc(5_000_000, 'big');
    const page = await open();
    await row('a.txt').waitFor();
    await pick(
      { name: 'a.txt', content: 'new a' },
      { name: 'b.txt', content: 'new b' },
      { name: 'big.bin', content: big },
      { name: 'free.txt', content: 'free' },
      { name: 'c.txt', content: 'new c' },
      { name: 'd.txt', content: 'new d' },
    );
    const panel = page.getByRole('region', { name: 'Uploads' });
    await panel.getByText('Uploaded · 4 B').waitFor();
    expect(await textOf(ids['a.txt'] ?? '')).toBe('there');
    await dialog('“a.txt” already exists').getByText('5 B, changed').waitFor();
    await answer('a.txt', 'Replace');
    await answer('b.txt', 'Keep both');
    await answer('big.bin', 'Replace');
    await dialog('“c.txt” already exists').getByRole('checkbox').click();
    await answer('c.txt', 'Skip');
    await page.getByText('4 uploaded').waitFor();
    expect(await textOf(ids['a.txt'] ?? '')).toBe('new a');
    expect((await files.metadata(ids['big.bin'] ?? '')).sizeBytes).toBe(big.length);
    for (const name of ['B.txt', 'c.txt', 'd.txt']) expect(await textOf(ids[name] ?? '')).toBe('there');
    expect(Object.keys(await treeOf(files)).sort()).toEqual(
      [...Object.keys(ids), 'b (2).txt', 'free.txt'].sort(),
    );
  });

  test('an upload whose name is taken in the meantime is decided, whole or in parts', async () => {
    const small = await files.upload('there', { name: 'small.txt' });
    const large = await files.upload('there', { name: 'large.bin' });
    const page = await open();
    await row('small.txt').waitFor();
    // The names that are compared beforehand are those of a moment before.
    await page.route(/\/api\/storage\/files\/[^/]+\?limit=1000$/, (route) => route.fulfill({ json: [] }));
    await pick(
      { name: 'small.txt', content: 'new' },
      { name: 'large.bin', content: Buffer.alloc(5_000_000, 'new') },
    );
    const question = dialog(/already exists/);
    for (let left = 2; left > 0; left--) {
      const title = (await question.getByRole('heading').textContent()) ?? '';
      await question.getByRole('button', { name: 'Replace' }).click();
      await dialog(title).waitFor({ state: 'detached' });
    }
    await page.getByText('2 uploaded').waitFor();
    expect(await textOf(small.id)).toBe('new');
    expect((await files.metadata(large.id)).sizeBytes).toBe(5_000_000);
    expect(Object.keys(await treeOf(files)).sort()).toEqual(['large.bin', 'small.txt']);
  });

  test('an upload whose name is free again is not asked about', async () => {
    const gone = await files.upload('there', { name: 'gone.txt' });
    await files.upload('there', { name: 'kept.txt' });
    const page = await open();
    await row('gone.txt').waitFor();
    // Reads the names in the folder.
    await pick({ name: 'kept.txt', content: 'new' });
    await answer('kept.txt', 'Skip');
    await files.remove(gone.id);
    await pick({ name: 'gone.txt', content: 'back' });
    await page.getByText('1 uploaded').waitFor();
    expect(await dialog(/already exists/).count()).toBe(0);
    expect(Object.keys(await treeOf(files)).sort()).toEqual(['gone.txt', 'kept.txt']);
  });

  const openVersions = async (name: string) => {
    await row(name).click({ button: 'right' });
    await seat.page.getByRole('menuitem', { name: /^Versions/ }).click();
    await dialog(`Versions of “${name}”`).getByText('Current content').waitFor();
  };
  const versionRow = (size: string) =>
    seat.page.getByRole('list', { name: 'Versions' }).getByRole('listitem').filter({ hasText: size });
  const inVersion = (size: string, action: string) =>
    versionRow(size).getByRole('button', { name: new RegExp(`^${action} version from`) });

  test('replaced content is a version, which is shown, downloaded, restored and deleted', async () => {
    const { id } = await files.upload('the first content', { name: 'notes.txt' });
    const page = await open();
    await openVersions('notes.txt');
    await page.getByText('When the content is replaced').waitFor();
    await page.keyboard.press('Escape');
    await row('notes.txt').click({ button: 'right' });
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('menuitem', { name: /^Replace content/ }).click();
    await (await chooser).setFiles([
      { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('second') },
    ]);
    await page.getByText('1 uploaded').waitFor();
    await openVersions('notes.txt');
    await versionRow('17 B').getByText('replaced').waitFor();
    await inVersion('17 B', 'Preview').click();
    const preview = dialog(/^“notes.txt” from/);
    await preview.getByText('the first content').waitFor();
    await preview.getByRole('button').first().click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      inVersion('17 B', 'Download').click(),
    ]);
    expect(download.suggestedFilename()).toBe('notes.txt');
    expect(await Bun.file(await download.path()).text()).toBe('the first content');
    await inVersion('17 B', 'Restore').click();
    await page.getByText('Restored a version of “notes.txt”').waitFor();
    expect(await textOf(id)).toBe('the first content');
    await versionRow('6 B').getByText('replaced').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('“notes.txt” has its previous content again').waitFor();
    expect(await textOf(id)).toBe('second');
    await inVersion('17 B', 'Delete').click();
    await dialog('Delete this version permanently?')
      .getByRole('button', { name: 'Delete permanently' })
      .click();
    await page.getByText('When the content is replaced').waitFor();
    expect(await files.read<unknown[]>(`/api/storage/files/${id}/versions`)).toEqual([]);
  });

  test('versions of a shared workspace are restored by editors and deleted by managers', async () => {
    const { workspace, manager, editor, viewer } = await createTeam(posthouse, 'Launches');
    const shared = filesIn(posthouse, editor, workspace);
    const { id } = await shared.upload('first', 'plan.txt');
    await shared.replace(id, 'the second', 'plan.txt');
    const actions: Record<string, string[]> = {};
    for (const member of [viewer, editor, manager]) {
      const page = await open(`/files/${workspace.rootFolderId}?versions=${id}`, { email: member.email });
      await versionRow('5 B').getByText('by editor').waitFor();
      // The role is known with the workspace.
      await page.locator('.workspace-button').first().waitFor({ state: 'attached' });
      const labels = await versionRow('5 B')
        .getByRole('button')
        .evaluateAll((all) =>
          all.map(
            (one: { getAttribute(name: string): string | null }) => one.getAttribute('aria-label') ?? '',
          ),
        );
      actions[member.email.split('-')[0] ?? ''] = labels.map((label) => label.split(' ', 1)[0] ?? '');
      expect(page.url()).toContain(`versions=${id}`);
      if (member !== manager) await seat.leave();
    }
    expect(actions).toEqual({
      viewer: ['Preview', 'Download'],
      editor: ['Preview', 'Download', 'Restore'],
      manager: ['Preview', 'Download', 'Restore', 'Delete'],
    });
  });

  test('a rename to a taken name replaces, numbers or keeps the former name', async () => {
    const there = await files.upload('there', { name: 'plan.txt' });
    const { id } = await files.upload('draft', { name: 'draft.txt' });
    const before = await treeOf(files);
    const page = await open();
    await rename('draft.txt', 'plan.txt');
    await answer('plan.txt', 'Skip');
    await dialog(/^Rename/)
      .getByText('This name is taken.')
      .waitFor();
    await page.getByRole('button', { name: 'Rename' }).click();
    expect(await dialog('“plan.txt” already exists').getByRole('checkbox').count()).toBe(0);
    await answer('plan.txt', 'Keep both');
    await undo('Renamed “draft.txt” to “plan (2).txt”', 'Renamed “plan (2).txt” back to “draft.txt”');
    await row('draft.txt').waitFor();
    await rename('draft.txt', 'PLAN.txt');
    await answer('PLAN.txt', 'Replace');
    await row('draft.txt').waitFor({ state: 'detached' });
    expect(await textOf(there.id)).toBe('draft');
    await undo('Renamed “draft.txt” to “plan.txt”', 'Renamed “plan.txt” back to “draft.txt”');
    await row('draft.txt').waitFor();
    expect(await treeOf(files)).toEqual(before);
    expect(await textOf(id)).toBe('draft');
  });
});
