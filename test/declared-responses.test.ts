import { expect, test } from 'bun:test';
import { BACKENDS, freshSettings } from './harness/backends.ts';
import { fetchingDeclared } from './harness/declared.ts';
import { filesOf } from './harness/files.ts';
import { postJson } from './harness/json.ts';
import { addFullMailClient } from './harness/mail.ts';
import { readDocument } from './harness/openapi.ts';
import { signInAdmin, startPosthouse } from './harness/posthouse.ts';
import { createComparison } from './harness/response-schema.ts';

test('the comparison finds what is not declared, missing, or of another type', () => {
  const differences = createComparison({
    components: {
      schemas: { A: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] } },
    },
  });
  const schema = { anyOf: [{ $ref: '#/components/schemas/A' }, { type: 'null' }] };
  expect(differences(schema, null)).toEqual([]);
  expect(differences(schema, { a: 'x' })).toEqual([]);
  expect(differences({ type: 'array', items: schema }, [{ a: 1, b: 2 }, {}])).toEqual([
    '[].a is not string',
    '[].b is not declared',
    '[].a is missing',
  ]);
});

test('responses have the declared properties and no others', async () => {
  const settings = await freshSettings(BACKENDS[0]);
  const posthouse = await startPosthouse(settings);
  const { operations } = await readDocument(posthouse);
  const { headers } = await signInAdmin(posthouse);
  const declared = { ...posthouse, fetch: await fetchingDeclared(posthouse) };
  const post = async (path: string, body: object) => {
    const response = await postJson(declared, path, body, headers);
    expect([path, response.ok]).toEqual([path, true]);
    return (await response.json()) as Record<string, string>;
  };
  const { id: person } = await post('/api/admin/people', { email: 'ada@example.org' });
  const { id: workspaceId } = await post('/api/storage/workspaces', { name: 'team' });
  const { id: folderId } = await post('/api/storage/folders', { name: 'folder' });
  const file = await filesOf(declared, headers).upload('bytes');
  await post(`/api/storage/files/${file.id}/copy`, { targetFolderId: folderId });
  await addFullMailClient(settings, 'a@example.org');
  const ids = [file.id, folderId, workspaceId, person];
  const seen = new Set<string>();
  for (const { method, path } of operations)
    for (const id of method === 'GET' ? ids : [])
      if (!path.startsWith('/api/events') && !path.startsWith('/oidc')) {
        const response = await declared.fetch(path.replace(/\{\w+\}/g, id ?? ''), { headers });
        if (response.ok) seen.add(path);
        await response.body?.cancel();
      }
  expect(seen.size).toBeGreaterThan(30);
});

test.each(['/setup/unknown', '/password/unknown'])('%s has the declared status', async (path) => {
  const declared = await fetchingDeclared(await startPosthouse(await freshSettings(BACKENDS[0])));
  for (const method of ['GET', 'POST']) {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const response = await declared(path, { method, headers });
    expect([method, response.status]).toEqual([method, 404]);
  }
});
