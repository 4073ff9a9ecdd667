import { beforeAll, describe, expect, test } from 'bun:test';
import { shapeConfig } from '../src/config/config.ts';
import { BACKENDS, freshSettings } from './harness/backends.ts';
import { filesOf } from './harness/files.ts';
import { jsonOf } from './harness/json.ts';
import { addAdmin, addPerson, openSession, type Posthouse, startPosthouse } from './harness/posthouse.ts';

const { workspaceBytes } = shapeConfig({}).config.limits;

interface Workspace {
  id: string;
  name: string;
  usedBytes: number;
  maxBytes: number;
  ownQuota: boolean;
}

describe.each(BACKENDS)('the overview for administrators on %s', (backend) => {
  let posthouse: Posthouse;
  let admin: { headers: Record<string, string> };
  let user: { headers: Record<string, string> };
  let script: { headers: Record<string, string> };
  beforeAll(async () => {
    posthouse = await startPosthouse(await freshSettings(backend));
    const { settings } = posthouse;
    await addAdmin(settings);
    script = await addPerson(settings, 'bob@example.org');
    const link = { folderId: 'root' };
    await jsonOf(posthouse, script)('POST', '/api/storage/links', link);
    admin = await openSession(posthouse, 'ada@example.org');
    user = await openSession(posthouse, 'bob@example.org');
  });

  const workspaces = async () =>
    (await (await posthouse.fetch('/api/admin/workspaces', admin)).json()) as Workspace[];
  const setQuota = (id: string, body: object, who = admin) =>
    jsonOf(posthouse, who)<{ errors: { path: string }[] }>('PATCH', `/api/admin/workspaces/${id}`, body);

  test('lists every dependency', async () => {
    const answer = await posthouse.fetch('/api/admin/overview', admin);
    expect(answer.status).toBe(200);
    const overview = (await answer.json()) as {
      database: string;
      blobs: string;
      picturesPending: number;
      links: number;
      parts: { name: string; ok: boolean; detail: string }[];
    };
    expect([overview.database, overview.blobs]).toEqual(
      backend === 'sqlite+local' ? ['sqlite', 'local'] : ['postgres', 's3'],
    );
    expect([overview.picturesPending, overview.links]).toEqual([0, 1]);
    const byName = new Map(overview.parts.map((part) => [part.name, part]));
    expect(byName.get('database')?.ok).toBe(true);
    expect(byName.get('blobs')?.ok).toBe(true);
    expect(byName.get('smtp')?.detail).toContain('sandbox');
  });

  test('the results of the checks are in the language of the reader', async () => {
    const detailsIn = async (language: string) => {
      const answer = await posthouse.fetch('/api/admin/overview', {
        headers: { ...admin.headers, 'Accept-Language': language },
      });
      const { parts } = (await answer.json()) as { parts: { name: string; detail: string }[] };
      return new Map(parts.map(({ name, detail }) => [name, detail]));
    };
    const english = await detailsIn('en');
    const german = await detailsIn('de');
    expect(german.get('smtp')).toBe('Nicht gesetzt; E-Mails gehen in die Sandbox.');
    const same = [...english].filter(([name, detail]) => german.get(name) === detail);
    // Names of services only.
    expect(same.map(([name]) => name)).toEqual(['services']);
  });

  test('lists every workspace, and sets its quota', async () => {
    const before = await workspaces();
    expect(before.map(({ name }) => name).sort()).toEqual(['ada', 'bob']);
    const bobs = before.find(({ name }) => name === 'bob');
    expect(bobs).toMatchObject({ usedBytes: 0, maxBytes: workspaceBytes, ownQuota: false });
    const id = bobs?.id ?? '';
    expect((await setQuota(id, { maxBytes: 1000 })).status).toBe(200);
    const files = filesOf(posthouse, script.headers);
    expect(await files.read<object>('/api/storage/usage')).toEqual({ usedBytes: 0, maxBytes: 1000 });
    expect((await files.send('root', 'x'.repeat(1001))).status).toBe(507);
    expect((await setQuota(id, { maxBytes: null })).status).toBe(200);
    expect((await workspaces()).find(({ name }) => name === 'bob')).toMatchObject({
      maxBytes: workspaceBytes,
      ownQuota: false,
    });
  });

  test('refuses an invalid quota and an unknown workspace', async () => {
    const [first] = await workspaces();
    for (const maxBytes of [-1, 1.5, '1000', undefined]) {
      const { status, body } = await setQuota(first?.id ?? '', { maxBytes });
      expect([status, body.errors[0]?.path]).toEqual([400, 'maxBytes']);
    }
    expect((await setQuota(crypto.randomUUID(), { maxBytes: 5 })).status).toBe(404);
    expect((await setQuota('no-id', { maxBytes: 5 })).status).toBe(404);
  });

  test.each(['/api/admin/overview', '/api/admin/workspaces'])(
    'admits only administrators to %s',
    async (path) => {
      expect((await posthouse.fetch(path)).status).toBe(401);
      expect((await posthouse.fetch(path, user)).status).toBe(403);
      expect((await posthouse.fetch(path, script)).status).toBe(401);
    },
  );

  test('refuses quotas set by others', async () => {
    const [first] = await workspaces();
    expect((await setQuota(first?.id ?? '', { maxBytes: 5 }, user)).status).toBe(403);
    expect((await setQuota(first?.id ?? '', { maxBytes: 5 }, { headers: {} })).status).toBe(401);
    expect(
      (
        await setQuota(
          first?.id ?? '',
          { maxBytes: 5 },
          { headers: { ...admin.headers, 'Sec-Fetch-Site': 'cross-site' } },
        )
      ).status,
    ).toBe(403);
  });
});
