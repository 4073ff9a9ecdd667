import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { findViolations } from '../harness/accessibility.ts';
import { freshSettings } from '../harness/backends.ts';
import { jsonOf } from '../harness/json.ts';
import { addAdmin, type Posthouse, startPosthouse } from '../harness/posthouse.ts';
import { createTeam, filesIn, type Team } from '../harness/teams.ts';
import { openApp, type Seat } from '../harness/web.ts';

const EMAIL = 'ada@example.org';
const dialog = (page: Page) => page.getByRole('dialog');

async function openMenu(page: Page, workspace = 'Launches'): Promise<void> {
  await page.getByRole('button', { name: `Workspace: ${workspace}` }).click();
  await page.getByRole('menuitem', { name: 'New workspace' }).waitFor();
}

async function choose(page: Page, item: string): Promise<void> {
  await openMenu(page);
  await page.getByRole('menuitem', { name: item }).click();
}

/** The pages and dialogs of shared workspaces: the page ('' = the files of the workspace), and how to get there. */
const PLACES: { name: string; path: string; act(page: Page): Promise<unknown> }[] = [
  {
    name: 'files with their authors',
    path: '',
    act: (page) => page.getByText('plan.txt', { exact: true }).first().waitFor(),
  },
  { name: 'the menu of a workspace', path: '', act: openMenu },
  {
    name: 'the menu with a deleted workspace',
    path: '/files',
    async act(page) {
      await openMenu(page, 'My files');
      await page.getByRole('menuitem', { name: 'Restore “Former”' }).waitFor();
    },
  },
  {
    name: 'a new workspace',
    path: '',
    async act(page) {
      await choose(page, 'New workspace');
      await dialog(page).getByLabel('Workspace name').waitFor();
    },
  },
  {
    name: 'members, with refusals',
    path: '',
    async act(page) {
      await choose(page, 'Members');
      await dialog(page).getByLabel('E-mail address').fill('nobody@example.org');
      await dialog(page).getByRole('button', { name: 'Add', exact: true }).click();
      await dialog(page).getByText('No account has this address.').waitFor();
      await dialog(page).getByLabel('Role of ada').selectOption('viewer');
      await dialog(page).getByText('Make another member a manager first.').waitFor();
    },
  },
  {
    name: 'access tokens, with a new one',
    path: '',
    async act(page) {
      await choose(page, 'Access tokens');
      await dialog(page).getByLabel('Name').fill('uploader');
      await dialog(page).getByRole('button', { name: 'Create' }).click();
      await dialog(page).getByTestId('Token').waitFor();
    },
  },
  {
    name: 'the deletion of a workspace',
    path: '',
    async act(page) {
      await choose(page, 'Delete workspace');
      await dialog(page).getByRole('button', { name: 'Delete workspace' }).waitFor();
    },
  },
  {
    name: 'copying to another workspace',
    path: '',
    async act(page) {
      await page.getByRole('row').filter({ hasText: 'plan.txt' }).click({ button: 'right' });
      await page.getByRole('menuitem', { name: /^Copy/ }).click();
      await dialog(page).getByLabel('Workspace').waitFor();
    },
  },
  {
    name: 'all workspaces',
    path: '/admin/workspaces',
    act: (page) => page.getByRole('button', { name: 'Managers of Launches' }).waitFor(),
  },
  {
    name: 'a new workspace by an administrator',
    path: '/admin/workspaces',
    async act(page) {
      await page.getByRole('button', { name: 'New workspace' }).click();
      await dialog(page).getByLabel('Manager').waitFor();
    },
  },
  {
    name: 'the managers of a workspace',
    path: '/admin/workspaces',
    async act(page) {
      await page.getByRole('button', { name: 'Managers of Launches' }).click();
      await dialog(page).getByRole('listitem').first().waitFor();
    },
  },
  {
    name: 'shared workspaces at home',
    path: '/',
    act: (page) => page.getByRole('link', { name: 'Launches' }).waitFor(),
  },
];

describe('accessibility of shared workspaces', () => {
  let posthouse: Posthouse;
  let team: Team;
  let seat: Seat;
  let viewerSeat: Seat | null = null;
  beforeAll(async () => {
    posthouse = await startPosthouse({
      ...(await freshSettings('sqlite+local')),
      POSTHOUSE_WORKSPACE_CREATORS: 'everyone',
    });
    await addAdmin(posthouse.settings, EMAIL);
    seat = await openApp(posthouse, EMAIL, '/');
    team = await createTeam(posthouse, 'Launches');
    const former = await createTeam(posthouse, 'Former');
    for (const { workspace, manager } of [team, former])
      await jsonOf(posthouse, manager)('POST', `/api/storage/workspaces/${workspace.id}/members`, {
        email: EMAIL,
        role: 'manager',
      });
    await jsonOf(posthouse, former.manager)('DELETE', `/api/storage/workspaces/${former.workspace.id}`);
    // The administrator is the only manager.
    const path = `/api/storage/workspaces/${team.workspace.id}/members/${team.manager.id}`;
    await jsonOf(posthouse, team.manager)('PATCH', path, { role: 'editor' });
    const { id } = await filesIn(posthouse, team.editor, team.workspace).upload('text', 'plan.txt');
    await jsonOf(posthouse, team.manager)('PATCH', `/api/storage/files/${id}`, { visibility: 1 });
  });
  afterAll(async () => {
    await viewerSeat?.leave();
    await seat.leave();
    await posthouse.stop();
  });
  afterEach(() => seat.page.setViewportSize({ width: 1280, height: 860 }));

  test.each(PLACES)('$name', async ({ path, act }) => {
    const { page } = seat;
    await page.goto(path || `/files/${team.workspace.rootFolderId}`);
    await page.getByRole('heading').first().waitFor();
    await act(page);
    expect(await findViolations(page)).toEqual([]);
  });

  test('files for a viewer, and their details', async () => {
    viewerSeat = await openApp(posthouse, team.viewer.email, `/files/${team.workspace.rootFolderId}`);
    const { page } = viewerSeat;
    await page.getByText('View and download only').waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 860 });
    await page.getByRole('row').filter({ hasText: 'plan.txt' }).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Details' }).click();
    await dialog(page).getByText('Added by').waitFor();
    expect(await findViolations(page)).toEqual([]);
  });
});
