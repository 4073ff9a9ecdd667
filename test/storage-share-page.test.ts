import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { freshSettings, ONE_BACKEND } from './harness/backends.ts';
import { openBrowser } from './harness/browser.ts';
import { filesOf, type Metadata } from './harness/files.ts';
import { postJson } from './harness/json.ts';
import { picture, renditionOf } from './harness/pictures.ts';
import { addPerson, type Posthouse, startPosthouse } from './harness/posthouse.ts';
import { refusal } from './harness/refusal.ts';

const NAME = 'Quartals<b>bericht & Übersicht.txt';
const HTML = { Accept: 'text/html,*/*;q=0.8' };

describe.each(ONE_BACKEND)('the page of a file on %s', (backend) => {
  let settings: Record<string, string>;
  let posthouse: Posthouse;
  let files: ReturnType<typeof filesOf>;
  beforeAll(async () => {
    settings = { ...(await freshSettings(backend)), POSTHOUSE_PUBLIC_URL: 'http://files.example.org' };
    posthouse = await startPosthouse(settings);
    files = filesOf(posthouse, (await addPerson(settings, 'ann@example.org')).headers);
  });
  afterAll(() => posthouse.stop());

  const pageOf = (file: Metadata) => `/public/file/${file.uiToken}`;
  const get = (path: string, headers: Record<string, string> = {}) =>
    posthouse.fetch(path, { headers: { ...HTML, ...headers } });
  const unlock = (file: Metadata, fields: Record<string, string>, headers: Record<string, string> = HTML) =>
    posthouse.fetch(pageOf(file), { method: 'POST', headers, body: new URLSearchParams(fields) });
  const shared = async (content: string | Uint8Array<ArrayBuffer>, name: string, change: object = {}) => {
    const { id } = await files.upload(content, { name });
    return await files.change(id, { visibility: 1, ...change });
  };

  test('names the sender after the owner has chosen a name, and not while it is locked', async () => {
    const file = await shared('words', 'a.txt');
    expect(file.sharedBy).toBeNull();
    expect(await (await get(pageOf(file))).text()).not.toContain('Shared by');
    expect((await files.change(file.id, { sharedBy: ' Ann <3 ' })).sharedBy).toBe('Ann <3');
    expect(await (await get(pageOf(file))).text()).toContain('Shared by Ann &lt;3');
    await files.change(file.id, { filePassword: 'secret' });
    expect(await (await get(pageOf(file))).text()).not.toContain('Ann');
    expect((await files.change(file.id, { sharedBy: null })).sharedBy).toBeNull();
    expect((await files.patch(file.id, { sharedBy: 'x'.repeat(101) })).status).toBe(400);
  });

  test('shows the file and its metadata', async () => {
    const file = await shared('the words\n<script>alert(1)</script>', NAME);
    const answer = await get(pageOf(file));
    const text = await answer.text();
    expect([answer.status, answer.headers.get('Content-Type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(text).toContain('Quartals&lt;b&gt;bericht &amp; Übersicht.txt');
    expect(text).toContain('35 B');
    expect(text).toContain('text/plain');
    expect(text).toContain('the words\n&lt;script&gt;alert(1)&lt;/script&gt;</pre>');
    expect(text).toContain(`<a class="button" href="/public/media/${file.uiToken}" download>`);
    expect(text).toContain('<meta property="og:title" content="Quartals&lt;b&gt;');
    expect(text).toContain(
      `<meta property="og:url" content="http://files.example.org/public/file/${file.uiToken}">`,
    );
    expect(text).not.toMatch(/<script|<b>/);
    const policy = answer.headers.get('Content-Security-Policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/script-src|unsafe|\*|http/);
    expect(answer.headers.get('Referrer-Policy')).not.toContain('unsafe');
    expect(answer.headers.get('X-Robots-Tag')).toBe('noindex');
    expect(answer.headers.getSetCookie()).toEqual([]);
    // Neither direct token nor id, which give other access to the file.
    expect(text).not.toContain(file.directToken);
    expect(text).not.toContain(file.id);
    const head = await posthouse.fetch(pageOf(file), { method: 'HEAD', headers: HTML });
    expect([head.status, (await head.bytes()).length]).toEqual([200, 0]);
  });

  test('shows a picture, with its thumbnail in link previews', async () => {
    const file = await shared(await picture('#00ff00'), 'green.png');
    for (const kind of ['preview', 'thumbnail'] as const) await renditionOf(files, file.id, kind);
    const text = await (await get(pageOf(file))).text();
    expect(text).toContain(`<img src="/public/media/${file.uiToken}?preview=1" alt="Preview of green.png">`);
    const image = /og:image" content="([^"]+)"/.exec(text)?.[1] ?? '';
    expect(image).toBe(`http://files.example.org/public/media/${file.uiToken}?thumbnail=1`);
    expect((await get(new URL(image).pathname + new URL(image).search)).headers.get('Content-Type')).toBe(
      'image/webp',
    );
  });

  test('viewing the page does not count toward the download limit', async () => {
    const file = await shared('counted words', 'counted.txt', { maxDownloads: 1 });
    for (let times = 0; times < 3; times++)
      expect(await (await get(pageOf(file))).text()).not.toContain('counted words');
    expect((await files.metadata(file.id)).downloadCount).toBe(0);
  });

  test('shows the form and no metadata while the file is locked', async () => {
    const file = await shared('secret words', NAME, { filePassword: 'open up', accessKey: true });
    const answer = await get(pageOf(file));
    const text = await answer.text();
    expect(answer.status).toBe(200);
    for (const fact of [
      'Quartals',
      'bericht',
      'Übersicht',
      'bytes',
      'text/plain',
      'secret',
      'og:',
      file.uiToken,
      file.id,
    ]) {
      expect(text).not.toContain(fact);
    }
    expect(text).toContain('name="accessKey"');
    expect(text).toContain('name="filePassword"');
    expect(text.match(/<form/g)).toHaveLength(1);
    const passwordOnly = await shared('x', 'x.txt', { filePassword: 'open up' });
    expect(await (await get(pageOf(passwordOnly))).text()).not.toContain('name="accessKey"');
  });

  test('the right secrets unlock only this file, for a limited time', async () => {
    const file = await shared('secret words', 'secret.txt', { filePassword: 'open up', accessKey: true });
    const other = await shared('other words', 'other.txt', { filePassword: 'open up' });
    const key = file.accessKeyPlain ?? '';

    const wrong = await unlock(file, { accessKey: key, filePassword: 'no' });
    expect([wrong.status, wrong.headers.getSetCookie()]).toEqual([403, []]);
    expect(await wrong.text()).toContain('role="alert"');
    expect(await refusal(unlock(file, { accessKey: 'no' }, {}))).toEqual([403, 'access_key_wrong']);
    expect(await refusal(unlock(file, { accessKey: '' }, {}))).toEqual([403, 'access_key_required']);

    const right = await unlock(file, { accessKey: key, filePassword: 'open up' });
    expect([right.status, right.headers.get('Location')]).toEqual([303, pageOf(file)]);
    const cookies = right.headers.getSetCookie();
    expect(cookies.map((cookie) => /Path=([^;]+)/.exec(cookie)?.[1])).toEqual([
      pageOf(file),
      `/public/media/${file.uiToken}`,
    ]);
    for (const cookie of cookies) {
      expect(cookie).toMatch(/; HttpOnly; SameSite=Lax; Max-Age=\d+$/);
      expect(cookie).not.toContain(key);
    }
    const pass = { Cookie: cookies[0]?.split(';', 1)[0] ?? '' };
    const page = await get(pageOf(file), pass);
    const text = await page.text();
    expect([page.status, page.headers.get('Cache-Control')]).toEqual([200, 'no-store']);
    expect(text).toContain('secret words');
    expect(text).not.toContain('og:');
    const media = await get(`/public/media/${file.uiToken}`, pass);
    expect([await media.text(), media.headers.get('Cache-Control')]).toEqual(['secret words', 'no-store']);
    // Valid for no other file, and not after the secrets change.
    expect((await get(`/public/media/${other.uiToken}`, pass)).status).toBe(403);
    expect((await get(`/public/media/${file.uiToken}`, { Cookie: `${pass.Cookie}x` })).status).toBe(403);
    await files.change(file.id, { filePassword: 'another' });
    expect((await get(`/public/media/${file.uiToken}`, pass)).status).toBe(403);
  });

  test('a browser gets from the form to the file', async () => {
    const file = await shared('secret words', 'secret.txt', { filePassword: 'open up' });
    const browser = openBrowser(posthouse.url);
    const form = await browser.visit(pageOf(file));
    const page = await browser.submit(form, { filePassword: 'open up' });
    expect(page.text).toContain('secret words');
    expect(await (await browser.fetch(`/public/media/${file.uiToken}`)).text()).toBe('secret words');
  });

  test('a link with the secrets opens the page and its resources', async () => {
    const file = await shared('secret words', 'secret.txt', { accessKey: true });
    const answer = await get(`${pageOf(file)}?accessKey=${file.accessKeyPlain}`);
    expect([answer.status, (await answer.text()).includes('secret words')]).toEqual([200, true]);
    const pass = { Cookie: answer.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '' };
    expect((await get(`/public/media/${file.uiToken}`, pass)).status).toBe(200);
  });

  test('unknown, private and expired files: a page for browsers, a problem for programs', async () => {
    const hidden = await files.upload('private', { name: 'private.txt' });
    const bodies = new Set<string>();
    for (const path of [pageOf(hidden), '/public/file/unknown-token']) {
      const answer = await get(path);
      expect([answer.status, answer.headers.get('Content-Type')]).toEqual([404, 'text/html; charset=utf-8']);
      bodies.add(await answer.text());
      expect(await refusal(posthouse.fetch(path))).toEqual([404, 'not_found']);
      expect(
        (
          await posthouse.fetch(path, {
            method: 'POST',
            headers: HTML,
            body: new URLSearchParams({ accessKey: 'x' }),
          })
        ).status,
      ).toBe(404);
    }
    expect(bodies.size).toBe(1);
    const ended = await shared('x', 'x.txt', { expiresAt: '2020-01-01T00:00:00Z' });
    expect(await refusal(posthouse.fetch(pageOf(ended)))).toEqual([410, 'link_expired']);
    expect((await get(pageOf(ended))).status).toBe(410);
    const deleted = await shared('x', 'x.txt');
    await files.remove(deleted.id);
    expect((await get(pageOf(deleted))).status).toBe(404);
    for (const path of [deleted.directToken, ended.directToken].map(
      (token) => `/api/storage/public/media/${token}`,
    )) {
      const browser = await posthouse.fetch(path, { headers: { 'Sec-Fetch-Dest': 'document' } });
      const text = await browser.text();
      expect([path, text.includes('Ask the person who sent it')]).toEqual([path, true]);
      const program = await posthouse.fetch(path, { headers: { Accept: '*/*' } });
      expect([program.status, (await refusal(program))[0]]).toEqual([browser.status, browser.status]);
    }
    const open = await shared('x', 'x.txt');
    const json = await postJson(posthouse, pageOf(open), {});
    expect(await refusal(json)).toEqual([415, 'unsupported_media_type']);
  });

  test('wrong secrets are limited on the page too', async () => {
    const file = await shared('x', 'x.txt', { filePassword: 'open up' });
    for (let guess = 0; guess < 10; guess++)
      expect((await unlock(file, { filePassword: `guess ${guess}` })).status).toBe(403);
    const blocked = await unlock(file, { filePassword: 'open up' });
    expect(blocked.status).toBe(429);
    expect(Number(blocked.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect(await refusal(unlock(file, { filePassword: 'open up' }, {}))).toEqual([429, 'too_many_attempts']);
  });
});
