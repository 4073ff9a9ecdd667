import { describe, expect, test } from 'bun:test';
import { freshSettings, ONE_BACKEND } from './harness/backends.ts';
import { jsonOf } from './harness/json.ts';
import { addPerson, runCommand, runJson, startPosthouse } from './harness/posthouse.ts';

describe.each(ONE_BACKEND)('the commands for links on %s', (backend) => {
  test('list those of all workspaces without their addresses, and revoke one', async () => {
    const posthouse = await startPosthouse(await freshSettings(backend));
    const { settings } = posthouse;
    const [ada, bob] = [
      await addPerson(settings, 'ada@example.org'),
      await addPerson(settings, 'bob@example.org'),
    ];
    const links: { id: string; token: string; url: string }[] = [];
    for (const person of [ada, bob]) {
      const call = jsonOf(posthouse, person);
      const { id: folderId } = (await call('POST', '/api/storage/folders', { name: 'Album' })).body;
      const wanted = { folderId, access: 'both', expiresAt: '2090-01-01T00:00:00Z' };
      links.push((await call<(typeof links)[number]>('POST', '/api/storage/links', wanted)).body);
    }
    const [first, second] = links;
    const listed = await runCommand(settings, 'link', 'list', '--json');
    for (const { token } of links) expect(listed.stdout).not.toContain(token);
    expect(JSON.parse(listed.stdout).links).toMatchObject([
      { id: second?.id, workspace: 'bob', name: 'Album', access: 'both', createdBy: 'bob@example.org' },
      { id: first?.id, workspace: 'ada', expiresAt: '2090-01-01T00:00:00.000Z', downloadCount: 0 },
    ]);
    const ofAda = await runJson<{ links: object[] }>(settings, 'link', 'list', '--workspace', 'ada');
    expect(ofAda.links).toMatchObject([{ id: first?.id }]);

    const opens = async ({ token } = { token: '' }) =>
      (await posthouse.fetch(`/api/storage/public/folder/${token}`)).status;
    expect([await opens(first), await opens(second)]).toEqual([200, 200]);
    expect(await runJson<object>(settings, 'link', 'revoke', '--id', first?.id ?? '')).toEqual({
      id: first?.id ?? '',
    });
    expect([await opens(first), await opens(second)]).toEqual([404, 200]);
    await runJson(settings, 'link', 'revoke', '--url', `${second?.url}?from=mail`);
    expect(await opens(second)).toBe(404);

    const failure = async (...words: string[]) => {
      const { status, stdout } = await runCommand(settings, 'link', ...words, '--json');
      return [status, (JSON.parse(stdout) as { error: { code: string } }).error.code];
    };
    expect(await failure('revoke', '--id', first?.id ?? '')).toEqual([1, 'not_found']);
    expect(await failure('list', '--workspace', 'Ada')).toEqual([1, 'not_found']);
    expect(await runJson<object>(settings, 'link', 'list', '--workspace', 'ada')).toEqual({ links: [] });
    for (const words of [[], ['--id', 'x'], ['--url', 'https://example.org']])
      expect(await failure('revoke', ...words)).toEqual([1, 'usage_error']);
    expect((await runCommand(settings, 'link', 'list')).stdout).toBe('There are no links.\n');
    await posthouse.stop();
  });
});
