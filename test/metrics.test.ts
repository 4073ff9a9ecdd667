import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { connect } from 'node:net';
import { join } from 'node:path';
import { BACKENDS, freshSettings } from './harness/backends.ts';
import { signIn } from './harness/browser.ts';
import { filesOf } from './harness/files.ts';
import { jsonOf } from './harness/json.ts';
import { addMailClient, post } from './harness/mail.ts';
import { addPerson, type Posthouse, startPosthouse } from './harness/posthouse.ts';
import { until } from './harness/until.ts';

const DOCS = join(import.meta.dir, '../docs');
/** Labels whose values come from the program, never from requests. */
const BOUNDED = [
  'bun',
  'code',
  'kind',
  'le',
  'method',
  'outcome',
  'reason',
  'route',
  'status',
  'task',
  'version',
];

describe.each(BACKENDS)('metrics on %s', (backend) => {
  let posthouse: Posthouse;
  let headers: Record<string, string>;
  beforeAll(async () => {
    const settings = await freshSettings(backend);
    posthouse = await startPosthouse(settings);
    ({ headers } = await addPerson(settings, 'ada@example.org'));
  });
  afterAll(() => posthouse.stop());

  const text = async () => await (await posthouse.fetch('/metrics')).text();
  /** The value of the sample; 0 = there is none. */
  const sample = async (name: string) => {
    const line = (await text()).split('\n').find((row) => row.startsWith(`${name} `));
    return Number(line?.split(' ').at(-1) ?? 0);
  };

  test('bytes up, down, used and in the trash', async () => {
    const { id } = await filesOf(posthouse, headers).upload('x'.repeat(1000), { name: 'a.txt' });
    const path = `/api/storage/files/${id}/content`;
    await (await posthouse.fetch(path, { headers })).text();
    await (await posthouse.fetch(path, { headers: { ...headers, Range: 'bytes=0-99' } })).text();
    await posthouse.fetch(path, { method: 'HEAD', headers });
    expect(await sample('posthouse_storage_uploaded_bytes_total')).toBe(1000);
    expect(await sample('posthouse_storage_downloaded_bytes_total')).toBe(1100);
    expect(await sample('posthouse_storage_used_bytes')).toBe(1000);
    await posthouse.fetch(`/api/storage/files/${id}`, { method: 'DELETE', headers });
    expect(await sample('posthouse_storage_used_bytes')).toBe(0);
    expect(await sample('posthouse_storage_trash_bytes')).toBe(1000);
  });

  test('links, their downloads and the files that visitors sent', async () => {
    const { body } = await jsonOf(posthouse, { headers })<{ token: string }>('POST', '/api/storage/links', {
      folderId: 'root',
      access: 'both',
      // With a limit, a download is counted before its response.
      maxDownloads: 5,
    });
    const page = `/public/folder/${body.token}`;
    const form = new FormData();
    for (const name of ['one', 'two']) form.append('file', new Blob([name]), name);
    const sent = await posthouse.fetch(`${page}/files`, { method: 'POST', body: form });
    const [file] = ((await sent.json()) as { files: { id: string }[] }).files;
    await (await posthouse.fetch(`${page}/file/${file?.id}`)).text();
    const names = ['links', 'link_downloads', 'link_uploads'].map((name) => `posthouse_storage_${name}`);
    expect(await Promise.all(names.map(sample))).toEqual([1, 1, 2]);
  });

  test('sign-ins and refusals, by code', async () => {
    await signIn(posthouse, 'ada@example.org');
    expect(await sample('posthouse_sign_ins_total')).toBe(1);
    await signIn(posthouse, 'ada@example.org', 'wrong password').catch(() => {});
    expect(await sample('posthouse_sign_in_refusals_total{code="bad_credentials"}')).toBe(1);
    await posthouse.fetch('/auth/callback?state=none');
    expect(await sample('posthouse_sign_in_refusals_total{code="login_failed"}')).toBe(1);
    await posthouse.fetch('/api/me', { headers: { Authorization: 'Bearer wrong' } });
    expect(await sample('posthouse_http_refusals_total{code="login_required"}')).toBe(1);
  });

  test('the build', async () => {
    const { version } = await Bun.file(join(DOCS, '../package.json')).json();
    expect(await sample(`posthouse_build_info{version="${version}",bun="${Bun.version}"}`)).toBe(1);
  });

  test('no label has values of requests', async () => {
    const client = await addMailClient(posthouse.settings, 'canary-client', '--services', 'email');
    const later = { SendAt: new Date(Date.now() + 3_600_000).toISOString() };
    await post(posthouse, '/requestemail', {
      ...client,
      To: 'canary@example.org',
      Subject: 's',
      Body: 'b',
      ...later,
    });
    await posthouse.fetch('/canary/path');
    await answerTo('CANARY /Ping HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    // The first periodic task has run.
    const shown = await until(async () =>
      [await text()].find((shown) => shown.includes('upkeep_duration_seconds_count{')),
    );
    expect(shown).not.toMatch(/canary/i);
    expect(shown).not.toContain(client.ClientId);
    const labels = [...shown.matchAll(/^posthouse_\w+\{(.*)\}/gm)].flatMap(([, pairs]) =>
      [...(pairs ?? '').matchAll(/(\w+)="/g)].map(([, label]) => label ?? ''),
    );
    expect([...new Set(labels)].sort()).toEqual(BOUNDED);
  });

  async function answerTo(request: string): Promise<void> {
    const { hostname, port } = new URL(posthouse.url);
    const socket = connect(Number(port), hostname);
    socket.end(request);
    await new Promise((resolve) => socket.once('close', resolve).resume());
  }

  test('the dashboard, the alert rules and the documentation name metrics that exist', async () => {
    const shown = await text();
    const types = new Map(
      [...shown.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = '', type]) => [name, type]),
    );
    const own = [...types.keys()].filter((name) => name.startsWith('posthouse_'));
    const namesIn = async (file: string) => {
      const found = (await Bun.file(join(DOCS, file)).text()).match(
        /\b(?:posthouse|process|nodejs)_\w+(?!\*)\b/g,
      );
      return new Set(
        found?.map((name) => (types.has(name) ? name : name.replace(/_(?:bucket|count|sum)$/, ''))),
      );
    };
    for (const file of ['monitoring/grafana.json', 'monitoring/alerts.yml', 'operation.md', 'scale.md'])
      expect([file, [...(await namesIn(file))].filter((name) => !types.has(name))]).toEqual([file, []]);
    expect([...(await namesIn('monitoring.md'))].sort()).toEqual(own.sort());
  });
});
