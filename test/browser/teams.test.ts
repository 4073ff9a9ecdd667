import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { freshSettings } from '../harness/backends.ts';
import { jsonOf } from '../harness/json.ts';
import { addAdmin, addPerson, type Posthouse, startPosthouse } from '../harness/posthouse.ts';
import { createTeam, filesIn, type Team, type WorkspaceAnswer } from '../harness/teams.ts';
import { openApp, type Seat } from '../harness/web.ts';

/** Names of controls that change a workspace. */
const WRITES =
  /\b(upload|trash|rename|move|replace|delete|restore|share|link|members|access tokens|new folder)\b/i;

describe('shared workspaces in the web app', () => {
  let posthouse: Posthouse;
  let team: Team;
  let seats: Seat[] = [];
  beforeAll(async () => {
    posthouse = await startPosthouse({
      ...(await freshSettings('sqlite+local')),
      POSTHOUSE_WORKSPACE_CREATORS: 'everyone',
    });
  });
  beforeEach(async () => {
    team = await createTeam(posthouse, 'Launches');
  });
  afterEach(async () => {
    for (const seat of seats) await seat.leave();
    seats = [];
  });
  afterAll(() => posthouse.stop());

  const open = async ({ email }: { email: string }, path = '/files', screen = {}) => {
    const seat = await openApp(posthouse, email, path, screen);
    seats.push(seat);
    const { page } = seat;
    const dialog = page.getByRole('dialog');
    return {
      page,
      dialog,
      row: (name: string) =>
        page.getByRole('row').filter({ has: page.getByText(name, { exact: true }).first() }),
      heading: (name: string) => page.getByRole('heading', { level: 1, name, exact: true }),
      async inMenu(workspace: string, item: string) {
        await page.getByRole('button', { name: `Workspace: ${workspace}`, exact: true }).click();
        await page.getByRole('menuitem', { name: item }).click();
      },
    };
  };
  const addressOf = ({ rootFolderId }: WorkspaceAnswer) => `/files/${rootFolderId}`;

  test('a member switches workspaces; the address, the back button and a reload keep the choice', async () => {
    await filesIn(posthouse, team.editor, team.workspace).upload('12345', 'plan.txt');
    const { page, row, heading, inMenu } = await open(team.editor);
    await heading('My files').waitFor();
    await inMenu('My files', 'Launches');
    await heading('Launches').waitFor();
    await row('plan.txt').waitFor();
    await page.locator('.usage:visible').getByText('5 B of 2 GiB').waitFor();
    expect(new URL(page.url()).pathname).toBe(addressOf(team.workspace));
    await page.reload();
    await heading('Launches').waitFor();
    await page.getByRole('treeitem', { name: 'Launches' }).waitFor();
    await page.goBack();
    await heading('My files').waitFor();
    await page.locator('.usage:visible').getByText('0 B of 2 GiB').waitFor();
    await page.goForward();
    await row('plan.txt').waitFor();
  });

  test('a manager creates a team, an editor uploads, and a viewer views and downloads but writes nothing', async () => {
    const [manager, editor, viewer] = [team.stranger, team.editor, team.viewer];
    const hers = await open(manager);
    await hers.inMenu('My files', 'New workspace');
    await hers.page.getByLabel('Workspace name').fill('Press');
    await hers.page.getByRole('button', { name: 'Create' }).click();
    await hers.heading('Press').waitFor();
    await hers.inMenu('Press', 'Members');
    for (const [{ email }, role] of [
      [editor, 'editor'],
      [viewer, 'viewer'],
    ] as const) {
      await hers.dialog.getByLabel('E-mail address').fill(email);
      await hers.dialog.getByLabel('Role', { exact: true }).selectOption(role);
      await hers.dialog.getByRole('button', { name: 'Add', exact: true }).click();
      await hers.dialog.getByRole('listitem').filter({ hasText: email }).waitFor();
    }

    const theirs = await open(editor);
    await theirs.inMenu('My files', 'Press');
    await theirs.page
      .getByTestId('files')
      .setInputFiles([{ name: 'release.txt', mimeType: 'text/plain', buffer: Buffer.from('to the moon') }]);
    await theirs.row('release.txt').waitFor();

    const { page, row, inMenu, dialog, heading } = await open(viewer);
    await inMenu('My files', 'Press');
    await heading('Press').waitFor();
    await row('release.txt').waitFor();
    await page.getByText('View and download only').waitFor();
    const expectNoWrites = async (role: 'button' | 'link' | 'menuitem') =>
      expect(await page.getByRole(role, { name: WRITES }).allTextContents()).toEqual([]);
    await expectNoWrites('button');
    await expectNoWrites('link');
    await row('release.txt').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Copy to another workspace' }).waitFor();
    await expectNoWrites('menuitem');
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await row('release.txt').click();
    const [downloaded] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('toolbar').getByRole('button', { name: 'Download' }).click(),
    ]);
    expect(downloaded.suggestedFilename()).toBe('release.txt');
    await expectNoWrites('button');
    for (const key of ['F2', 'm', 'r', 'Delete']) await page.keyboard.press(key);
    await page.keyboard.press('s');
    await dialog.getByText('Added by').waitFor();
    expect(await dialog.getByRole('button').count()).toBe(1);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'release.txt', exact: true }).click();
    await dialog.getByText('to the moon').waitFor();
    await dialog.getByRole('button', { name: 'Details', exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Workspace: Press' }).click();
    await page.getByRole('menuitem', { name: 'Leave workspace' }).waitFor();
    await expectNoWrites('menuitem');
  });

  test('a workspace is renamed, deleted, and restored with “Undo” and from the menu', async () => {
    const { page, heading, inMenu, dialog } = await open(team.manager, addressOf(team.workspace));
    await inMenu('Launches', 'Rename workspace');
    await page.getByLabel('New name').fill('Orbits');
    await page.getByRole('button', { name: 'Rename', exact: true }).click();
    await heading('Orbits').waitFor();
    const remove = async () => {
      await inMenu('Orbits', 'Delete workspace');
      await dialog.getByRole('button', { name: 'Delete workspace' }).click();
      await heading('My files').waitFor();
    };
    const path = `/api/storage/usage?workspaceId=${team.workspace.id}`;
    const asEditor = jsonOf(posthouse, team.editor);
    await remove();
    await page.getByRole('button', { name: 'Undo' }).click();
    await heading('Orbits').waitFor();
    expect((await asEditor('GET', path)).status).toBe(200);
    await remove();
    expect((await asEditor('GET', path)).status).toBe(404);
    await inMenu('My files', 'Restore “Orbits”');
    await heading('Orbits').waitFor();
    expect((await asEditor('GET', path)).status).toBe(200);
  });

  test('the page follows a change of the role at once', async () => {
    const { page, heading } = await open(team.editor, addressOf(team.workspace));
    await heading('Launches').waitFor();
    const button = page.getByRole('button', { name: 'New folder' });
    await button.waitFor();
    const path = `/api/storage/workspaces/${team.workspace.id}/members/${team.editor.id}`;
    await jsonOf(posthouse, team.manager)('PATCH', path, { role: 'viewer' });
    await button.waitFor({ state: 'detached' });
    await page.getByText('View and download only').waitFor();
  });

  test('the page of a workspace says at once that it was deleted, or that the member was removed', async () => {
    const { page, heading } = await open(team.viewer, addressOf(team.workspace));
    await heading('Launches').waitFor();
    const asManager = jsonOf(posthouse, team.manager);
    const path = `/api/storage/workspaces/${team.workspace.id}`;
    const missing = page.getByRole('heading', { name: 'Folder not found' });
    await asManager('DELETE', path);
    await missing.waitFor();
    await asManager('POST', `${path}/restore`);
    await heading('Launches').waitFor();
    await asManager('DELETE', `${path}/members/${team.viewer.id}`);
    await missing.waitFor();
  });

  test('members are added, change their role and are removed; refusals name the remedy', async () => {
    const newcomer = await addPerson(posthouse.settings, `new-${crypto.randomUUID()}@example.org`);
    const { page, inMenu, dialog } = await open(team.manager, addressOf(team.workspace));
    await inMenu('Launches', 'Members');
    const member = ({ email }: { email: string }) =>
      dialog.getByRole('listitem').filter({ hasText: email.split('@')[0] });
    await member(team.viewer).waitFor();
    const email = dialog.getByLabel('E-mail address');
    const add = dialog.getByRole('button', { name: 'Add', exact: true });
    await email.fill('nobody@example.org');
    await add.click();
    await dialog.getByText('No account has this address.').waitFor();
    await email.fill(team.viewer.email);
    await add.click();
    await dialog.getByText('This person is already a member.').waitFor();
    await email.fill(newcomer.email);
    await add.click();
    await member(newcomer).waitFor();

    await member(team.manager).getByRole('button', { name: 'Leave' }).click();
    const confirmation = page.getByRole('dialog', { name: 'Leave this workspace?' });
    await confirmation.getByRole('button', { name: 'Leave' }).click();
    await page.getByText('Make another member a manager first.').waitFor();
    await confirmation.getByRole('button', { name: 'Cancel' }).click();
    await member(team.manager).getByRole('combobox').selectOption('viewer');
    await dialog.getByText('Make another member a manager first.').waitFor();

    await member(newcomer).getByRole('combobox').selectOption('manager');
    await member(team.viewer)
      .getByRole('button', { name: /^Remove/ })
      .click();
    await page
      .getByRole('dialog', { name: /^Remove/ })
      .getByRole('button', { name: 'Remove' })
      .click();
    await member(team.viewer).waitFor({ state: 'detached' });
    const path = `/api/storage/usage?workspaceId=${team.workspace.id}`;
    expect((await jsonOf(posthouse, team.viewer)('GET', path)).status).toBe(404);
    // With another manager, the first one may step back, and has no access to the members afterwards.
    await member(team.manager).getByRole('combobox').selectOption('editor');
    await dialog.waitFor({ state: 'detached' });
    await inMenu('Launches', 'Leave workspace');
    await dialog.getByRole('button', { name: 'Leave workspace' }).click();
    await page.getByRole('heading', { level: 1, name: 'My files' }).waitFor();
    expect((await jsonOf(posthouse, team.manager)('GET', path)).status).toBe(404);
  });

  test('a token of the workspace is shown once, works, and is revoked', async () => {
    const { page, inMenu, dialog } = await open(team.manager, addressOf(team.workspace));
    await inMenu('Launches', 'Access tokens');
    await dialog.getByText('No tokens yet.').waitFor();
    await dialog.getByLabel('Name').fill('uploader');
    await dialog.getByLabel('Role').selectOption('viewer');
    await dialog.getByRole('button', { name: 'Create' }).click();
    const token = (await dialog.getByTestId('Token').textContent()) ?? '';
    const call = () =>
      posthouse.fetch('/api/storage/usage', { headers: { Authorization: `Bearer ${token}` } });
    expect((await call()).status).toBe(200);
    await page.reload();
    await inMenu('Launches', 'Access tokens');
    await dialog.getByText(/Last used .* expires/).waitFor();
    expect(await page.content()).not.toContain(token);
    await dialog.getByRole('button', { name: 'Revoke uploader' }).click();
    await page
      .getByRole('dialog', { name: /^Revoke/ })
      .getByRole('button', { name: 'Revoke' })
      .click();
    await dialog.getByText('No tokens yet.').waitFor();
    expect((await call()).status).toBe(401);
  });

  test('files and folders are copied and moved to folders of other workspaces', async () => {
    const files = filesIn(posthouse, team.editor, team.workspace);
    await files.upload('the plan', 'plan.txt');
    const inTeam = { parentFolderId: team.workspace.rootFolderId };
    const asEditor = jsonOf(posthouse, team.editor);
    await asEditor('POST', '/api/storage/folders', { name: 'Pictures', ...inTeam });
    const home = await asEditor('POST', '/api/storage/folders', { name: 'Archive' });
    const namesIn = async (folder: string) => {
      const path = `/api/storage/files/${folder}`;
      return (await asEditor<{ originalName: string }[]>('GET', path)).body.map((file) => file.originalName);
    };
    const { page, row, dialog } = await open(team.editor, addressOf(team.workspace));
    const run = async (name: string, action: string) => {
      await row(name).click({ button: 'right' });
      await page.getByRole('menuitem', { name: new RegExp(`^${action}`) }).click();
    };
    await run('plan.txt', 'Copy');
    await dialog.getByRole('button', { name: 'Copy to “Launches”' }).waitFor();
    await dialog.getByLabel('Workspace').selectOption('My files');
    await dialog.getByRole('button', { name: 'Archive' }).click();
    await dialog.getByRole('button', { name: 'Copy to “Archive”' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect([await namesIn(home.body.id), await namesIn(team.workspace.rootFolderId)]).toEqual([
      ['plan.txt'],
      ['plan.txt'],
    ]);

    await run('Pictures', 'Move');
    expect(await dialog.getByRole('button', { name: 'Move to “Launches”' }).isDisabled()).toBe(true);
    await dialog.getByLabel('Workspace').selectOption('My files');
    await dialog.getByRole('button', { name: 'Move to “My files”' }).click();
    await row('Pictures').waitFor({ state: 'detached' });
    await page.goto('/files');
    await row('Pictures').waitFor();
    await page.goBack();

    // Next to the original, a copy gets a number.
    await run('plan.txt', 'Copy');
    await dialog.getByRole('button', { name: 'Copy to “Launches”' }).click();
    await row('plan (2).txt').waitFor();
  });

  test('a viewer copies out of a workspace, to the places where the person may write', async () => {
    await filesIn(posthouse, team.editor, team.workspace).upload('the plan', 'plan.txt');
    const { page, row, dialog } = await open(team.viewer, addressOf(team.workspace));
    await row('plan.txt').click();
    await page.keyboard.press('c');
    const copy = dialog.getByRole('button', { name: 'Copy to “My files”' });
    await copy.waitFor();
    expect(await dialog.getByLabel('Workspace').count()).toBe(0);
    await copy.click();
    await dialog.waitFor({ state: 'detached' });
    await page.goto('/files');
    await row('plan.txt').waitFor();
  });

  test('rows show the members who added and changed a file, on every width', async () => {
    const { id } = await filesIn(posthouse, team.editor, team.workspace).upload('text', 'plan.txt');
    await jsonOf(posthouse, team.manager)('PATCH', `/api/storage/files/${id}`, {
      originalName: 'plan 2.txt',
    });
    const [adder, changer] = [team.editor, team.manager].map(({ email }) => email.split('@')[0]);
    const { page, row } = await open(team.viewer, addressOf(team.workspace));
    await page.getByRole('columnheader', { name: 'Added by' }).waitFor();
    const shown = row('plan 2.txt').locator(':is(.cell-author > *, .fact-author):visible');
    await shown.first().waitFor();
    expect(await shown.allTextContents()).toEqual([`${adder}`, `changed by ${changer}`]);
    await page.setViewportSize({ width: 390, height: 860 });
    await row('plan 2.txt').getByText(`${adder}, changed by ${changer}`).waitFor();
    await page.setViewportSize({ width: 1280, height: 860 });
    await row('plan 2.txt').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Details' }).click();
    const fact = (name: string) => page.locator('.fact').filter({ hasText: name });
    await fact('Added by').getByText(`${adder}`).waitFor();
    await fact('Changed by').getByText(`${changer}`).waitFor();
  });

  test('the home page and the palette lead to shared workspaces', async () => {
    const { page, heading } = await open(team.viewer, '/');
    const shared = page.getByRole('list', { name: 'Shared workspaces' }).getByRole('listitem');
    await shared.getByText('Viewer').waitFor();
    await shared.getByRole('link', { name: 'Launches' }).click();
    await heading('Launches').waitFor();
    await page.goto('/account');
    await heading('Account').waitFor();
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder(/^Search/).fill('launch');
    await page.getByRole('button', { name: 'Launches' }).click();
    await heading('Launches').waitFor();
  });

  test('an administrator creates a workspace, sets its quota and appoints managers, and sees no files', async () => {
    const ada = { email: `ada-${crypto.randomUUID()}@example.org` };
    await addAdmin(posthouse.settings, ada.email);
    const name = `Archive ${crypto.randomUUID()}`;
    const { page, dialog, heading } = await open(ada, '/');
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Workspaces' }).click();
    await heading('Workspaces').waitFor();
    await page.getByRole('button', { name: 'New workspace' }).click();
    await dialog.getByLabel('Workspace name').fill(name);
    await dialog.getByLabel('Manager').fill('nobody@example.org');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByText('No account has this address.').waitFor();
    await dialog.getByLabel('Manager').fill(team.editor.email);
    await dialog.getByRole('button', { name: 'Create' }).click();
    const row = page.getByRole('listitem').filter({ hasText: name });
    await row.getByText('0 B of 2 GiB').waitFor();
    await page.getByLabel('Search names and managers').fill(name);
    expect(await page.getByRole('listitem').filter({ hasText: ' of 2 GiB' }).count()).toBe(1);

    await row.getByRole('button', { name: /^Quota/ }).click();
    await dialog.getByLabel('Quota in GiB').fill('1');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await row.getByText('0 B of 1 GiB').waitFor();
    await row.getByRole('button', { name: /^Managers/ }).click();
    const manager = ({ email }: { email: string }) =>
      dialog.getByRole('listitem').filter({ hasText: email.split('@')[0] });
    const remove = async (person: { email: string }) => {
      await manager(person).getByRole('button').click();
      const confirmation = page.getByRole('dialog', { name: /^Remove/ });
      await confirmation.getByRole('button', { name: 'Remove' }).click();
      return confirmation;
    };
    const refused = await remove(team.editor);
    await page.getByText('Make another member a manager first.').waitFor();
    await refused.getByRole('button', { name: 'Cancel' }).click();
    await dialog.getByLabel('E-mail address').fill(team.viewer.email);
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await manager(team.viewer).waitFor();
    await remove(team.editor);
    await manager(team.editor).waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    expect(await row.getByRole('link').count()).toBe(0);
    await page.goto(addressOf(team.workspace));
    await page.getByText('Folder not found').waitFor();
  });
});
