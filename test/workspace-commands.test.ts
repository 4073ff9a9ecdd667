import { beforeAll, describe, expect, test } from 'bun:test';
import { BACKENDS, freshSettings } from './harness/backends.ts';
import { jsonOf } from './harness/json.ts';
import { openSession, type Posthouse, runCommand, runJson, startPosthouse } from './harness/posthouse.ts';
import type { WorkspaceAnswer } from './harness/teams.ts';

const PASSWORD = 'correct horse battery';

describe('the commands for shared workspaces', () => {
  let posthouse: Posthouse;
  const run = <Answer>(...words: string[]) => runJson<Answer>(posthouse.settings, ...words);
  const failure = async (...words: string[]) => {
    const { status, stdout } = await runCommand(posthouse.settings, ...words, '--json');
    return [status, (JSON.parse(stdout) as { error: { code: string } }).error.code];
  };
  const addUser = (name: string, ...flags: string[]) =>
    run<{ id: string }>('user', 'add', '--email', `${name}@example.org`, '--password', PASSWORD, ...flags);

  beforeAll(async () => {
    posthouse = await startPosthouse(await freshSettings(BACKENDS[0]));
    await addUser('ada', '--admin');
    await addUser('bob');
  });

  test('create one, add and remove members, and create a token', async () => {
    const plans = ['--workspace', 'Plans'];
    const bob = ['--email', 'bob@example.org'];
    const added = await run<WorkspaceAnswer>(
      'workspace',
      'add',
      '--name',
      'Plans',
      '--manager',
      'ada@example.org',
    );
    expect(Object.keys(added)).toEqual(['id', 'name', 'rootFolderId']);
    expect(await failure('workspace', 'add', '--name', 'x', '--manager', 'none@example.org')).toEqual([
      1,
      'unknown_account',
    ]);
    expect(await run<object>('workspace', 'member', 'add', ...plans, ...bob, '--role', 'viewer')).toEqual({
      ...added,
      email: 'bob@example.org',
      role: 'viewer',
    });
    await run('workspace', 'member', 'add', '--workspace', added.id, ...bob, '--role', 'editor');
    const { members } = await run<{ members: { email: string; role: string }[] }>(
      'workspace',
      'member',
      'list',
      ...plans,
    );
    expect(members.map(({ email, role }) => [email, role])).toEqual([
      ['ada@example.org', 'manager'],
      ['bob@example.org', 'editor'],
    ]);
    const { token, id } = await run<{ token: string; id: string }>('token', 'add', ...plans, '--name', 'app');
    const app = jsonOf(posthouse, { headers: { Authorization: `Bearer ${token}` } });
    expect((await app<WorkspaceAnswer[]>('GET', '/api/storage/workspaces')).body).toMatchObject([
      { id: added.id, role: 'editor', personal: false },
    ]);
    const { tokens } = await run<{ tokens: object[] }>('token', 'list', ...plans);
    expect(tokens).toMatchObject([{ id, name: 'app', role: 'editor' }]);
    await run('token', 'revoke', '--id', id);
    expect((await app('GET', '/api/storage/usage')).status).toBe(401);
    await run('workspace', 'member', 'remove', ...plans, ...bob);
    expect(await failure('workspace', 'member', 'remove', ...plans, ...bob)).toEqual([1, 'unknown_account']);
    expect(await failure('workspace', 'member', 'remove', ...plans, '--email', 'ada@example.org')).toEqual([
      1,
      'last_manager',
    ]);
    const { workspaces } = await run<{ workspaces: object[] }>('workspace', 'list');
    expect(workspaces).toMatchObject([{ ...added, managers: ['ada@example.org'], deleted: false }]);
  });

  test('refuse impossible changes, and name the option', async () => {
    expect(await failure('token', 'add', '--name', 'x')).toEqual([1, 'usage_error']);
    expect(await failure('token', 'add', '--name', 'x', '--workspace', 'None')).toEqual([1, 'not_found']);
    expect(await failure('token', 'add', '--name', 'x', '--workspace', 'Plans', '--role', 'manager')).toEqual(
      [1, 'usage_error'],
    );
    expect(
      await failure('token', 'add', '--name', 'x', '--email', 'bob@example.org', '--role', 'viewer'),
    ).toEqual([1, 'usage_error']);
    await run('workspace', 'add', '--name', 'Twice');
    await run('workspace', 'add', '--name', 'Twice');
    expect(await failure('token', 'add', '--name', 'x', '--workspace', 'Twice')).toEqual([1, 'conflict']);
  });

  test('administrators appoint managers, see no files, and learn of workspaces without one', async () => {
    await addUser('cyd', '--admin');
    await addUser('dan');
    const admin = jsonOf(posthouse, await openSession(posthouse, 'cyd@example.org'));
    const path = '/api/admin/workspaces';
    const created = await admin<{ id: string; name: string; managers: { email: string }[] }[]>('POST', path, {
      name: 'Of Dan',
      manager: 'dan@example.org',
    });
    const workspace = created.body.find(({ name }) => name === 'Of Dan');
    expect([created.status, workspace]).toMatchObject([201, { managers: [{ email: 'dan@example.org' }] }]);
    const mine = await admin<WorkspaceAnswer[]>('GET', '/api/storage/workspaces');
    expect(mine.body.map(({ personal }) => personal)).toEqual([true]);
    expect((await admin('GET', `/api/storage/usage?workspaceId=${workspace?.id}`)).status).toBe(404);
    await run('user', 'disable', '--email', 'dan@example.org');
    const overview = await admin<{ parts: { name: string; ok: boolean; detail: string }[] }>(
      'GET',
      '/api/admin/overview',
    );
    const part = overview.body.parts.find(({ name }) => name === 'workspaces');
    expect([part?.ok, part?.detail]).toEqual([false, expect.stringContaining('“Of Dan”') as never]);
    const managers = `${path}/${workspace?.id}/managers`;
    expect((await admin('POST', managers, { email: 'dan@example.org' })).body.code).toBe('unknown_account');
    const appointed = await admin<{ id: string; managers: { accountId: string; email: string }[] }[]>(
      'POST',
      managers,
      { email: 'bob@example.org' },
    );
    const [dan] = appointed.body.find(({ id }) => id === workspace?.id)?.managers ?? [];
    expect((await admin('DELETE', `${managers}/${dan?.accountId}`)).status).toBe(200);
    const personal = (await admin<{ id: string; personal: boolean }[]>('GET', path)).body.find(
      (one) => one.personal,
    );
    expect(
      (await admin('POST', `${path}/${personal?.id}/managers`, { email: 'bob@example.org' })).body.code,
    ).toBe('personal_workspace');
  });
});
