import { describe, expect, test } from 'bun:test';
import { filesApp } from '../harness/files-app.ts';
import { createTeam, filesIn } from '../harness/teams.ts';
import { treeOf } from '../harness/trees.ts';

describe('the trash in the web app', () => {
  const { files, open, posthouse, seat } = filesApp('/files/trash', {
    POSTHOUSE_WORKSPACE_CREATORS: 'everyone',
  });
  const names = async () =>
    (await files.read<{ name: string }[]>('/api/storage/trash')).map(({ name }) => name);
  const row = (name: string) =>
    seat.page.getByRole('listitem').filter({ has: seat.page.getByText(name, { exact: true }) });
  const button = (name: string) => seat.page.getByRole('button', { name, exact: true });
  const confirm = (title: string) =>
    seat.page
      .getByRole('dialog', { name: title })
      .getByRole('button', { name: 'Delete permanently' })
      .click();

  test('entries show their former folder and the days left; selected ones are restored or erased', async () => {
    const photos = await files.newFolder('Photos');
    const street = await files.newFolder('Street', photos);
    await files.upload('12', { name: 'a.jpg', folder: street });
    await files.upload('345', { name: 'b.jpg', folder: street });
    const single = await files.upload('single', { name: 'single.txt', folder: photos });
    const before = await treeOf(files);
    await files.upload('x', { name: 'gone.txt' }).then(({ id }) => files.remove(id));
    await files.removeFolder(street);
    await files.remove(single.id);
    const page = await open();
    await row('Street').getByText('2 files · 5 B · from Photos').waitFor();
    await row('Street').getByText('7 days left').waitFor();
    await row('single.txt').getByText('from Photos').waitFor();
    await row('single.txt').getByRole('checkbox').click();
    await row('Street').getByRole('checkbox').click();
    await page.getByRole('checkbox', { name: '2 selected' }).waitFor();
    await button('Restore selected').click();
    await page.getByText('Restored 2 items').waitFor();
    await row('Street').waitFor({ state: 'detached' });
    const { 'gone.txt': _, ...after } = await treeOf(files);
    expect(after).toEqual(before);
    await button('Undo').click();
    await page.getByText('Deleted 2 items again').waitFor();
    await row('Street').getByRole('checkbox').click();
    await button('Delete permanently').click();
    await confirm('Delete 1 item permanently?');
    await page.getByText('Deleted “Street” permanently').waitFor();
    expect((await names()).sort()).toEqual(['gone.txt', 'single.txt']);
    await button('Empty trash').click();
    await confirm('Delete everything in the trash permanently?');
    await page.getByRole('heading', { name: 'The trash is empty' }).waitFor();
    expect(await names()).toEqual([]);
  });

  test('“Restore all” restores folders before their contents that were deleted earlier', async () => {
    const top = await files.newFolder('Top');
    const inner = await files.newFolder('Inner', top);
    const file = await files.upload('1', { name: 'a.txt', folder: inner });
    const before = await treeOf(files);
    await files.remove(file.id);
    await files.removeFolder(inner);
    await files.removeFolder(top);
    const page = await open();
    await row('Inner').waitFor();
    await button('Restore all').click();
    await page.getByText('Restored 3 items').waitFor();
    await page.getByRole('heading', { name: 'The trash is empty' }).waitFor();
    expect(await treeOf(files)).toEqual(before);
  });

  test('a taken name is decided, and the file that is replaced goes to the trash', async () => {
    const former = await files.upload('former', { name: 'a.txt' });
    await files.change(former.id, { visibility: 1 });
    await files.remove(former.id);
    const present = await files.upload('present', { name: 'A.txt' });
    await files.removeFolder(await files.newFolder('Trip'));
    await files.newFolder('Trip');
    const page = await open();
    const answer = (name: string, choice: string) =>
      page
        .getByRole('dialog', { name: `“${name}” already exists` })
        .getByRole('button', { name: choice })
        .click();
    await button('Restore a.txt').click();
    await answer('a.txt', 'Skip');
    expect((await names()).sort()).toEqual(['Trip', 'a.txt']);
    await button('Restore a.txt').click();
    await answer('a.txt', 'Replace');
    await page.getByText('Restored “a.txt”').waitFor();
    expect(await (await posthouse.fetch(`/api/storage/public/media/${former.directToken}`)).text()).toBe(
      'former',
    );
    expect((await names()).sort()).toEqual(['A.txt', 'Trip']);
    await button('Undo').click();
    await page.getByText('Deleted “a.txt” again').waitFor();
    expect((await files.metadata(present.id)).originalName).toBe('A.txt');
    await button('Restore all').click();
    await answer('Trip', 'Keep both');
    await answer('a.txt', 'Keep both');
    await page.getByText('Restored 2 items').waitFor();
    expect(Object.keys(await treeOf(files)).sort()).toEqual(['A.txt', 'Trip (2)/', 'Trip/', 'a (2).txt']);
  });

  test('a question about selected items stays about them when they are restored meanwhile', async () => {
    for (const name of ['a.txt', 'b.txt']) await files.remove((await files.upload(name, { name })).id);
    const page = await open();
    await row('a.txt').getByRole('checkbox').click();
    await button('Delete permanently').click();
    await page.getByRole('dialog').waitFor();
    const entries = await files.read<{ id: string; name: string }[]>('/api/storage/trash');
    const id = entries.find(({ name }) => name === 'a.txt')?.id;
    await files.post(`/api/storage/trash/${id}/restore`, {});
    await page.getByText('a.txt', { exact: true }).waitFor({ state: 'detached' });
    await confirm('Delete 1 item permanently?');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await names()).toEqual(['b.txt']);
  });

  test('of a shared workspace, only managers delete permanently', async () => {
    const { workspace, manager, editor } = await createTeam(posthouse, 'Launches');
    const shared = filesIn(posthouse, editor, workspace);
    await shared.remove((await shared.upload('1', 'plan.txt')).id);
    const address = `/files/trash?workspaceId=${workspace.id}`;
    await open(address, { email: editor.email });
    await row('plan.txt')
      .getByText(`by ${editor.email.split('@')[0]}`)
      .waitFor();
    await row('plan.txt').getByRole('checkbox').click();
    await button('Restore selected').waitFor();
    expect(await button('Delete permanently').count()).toBe(0);
    await seat.leave();
    const page = await open('/files/trash', { email: manager.email });
    await page.getByRole('heading', { name: 'The trash is empty' }).waitFor();
    await page.getByLabel('Workspace').selectOption({ label: 'Launches' });
    await row('plan.txt').waitFor();
    await button('Empty trash').click();
    await confirm('Delete everything in the trash permanently?');
    await page.getByRole('heading', { name: 'The trash is empty' }).waitFor();
    expect(new URL(page.url()).search).toBe(`?workspaceId=${workspace.id}`);
  });
});
