import { expect, test } from 'bun:test';
import { z } from '@hono/zod-openapi';
import { type Auth, anyone } from '../../kernel/http/auth.ts';
import { multipart } from '../../kernel/http/bodies/form-body.ts';
import { json } from '../../kernel/http/bodies/request-body.ts';
import { createApp } from '../../kernel/http/context.ts';
import { endpoint } from '../../kernel/http/endpoint.ts';
import { guid } from '../../kernel/http/params.ts';
import { createProblems } from '../../kernel/http/problems/problems.ts';
import { GERMAN, PROBLEMS } from '../../server/problems.ts';
import { mountOpenApi } from '../openapi.ts';
import type { OpenApi } from '../openapi-types.ts';
import { curlLine } from './curl.ts';
import { createSchemas } from './schemas.ts';

const account: Auth<null> = { ...anyone, name: 'account', security: ['session', 'bearer'] };

/** Returns an app with one endpoint of each kind, and texts that need escaping. */
function exampleApp() {
  const app = createApp();
  endpoint(app, {
    method: 'get',
    path: '/items/{itemId}',
    operation: 'getItem',
    summary: 'Get an <item> & "more"',
    tags: ['files'],
    auth: account,
    params: { itemId: guid },
    responses: {
      200: { description: 'The bytes.', schema: z.string(), mediaType: 'application/octet-stream' },
    },
    problems: ['access_key_wrong'],
    handler: () => '',
  });
  endpoint(app, {
    method: 'post',
    path: '/items',
    operation: 'sendItems',
    summary: 'Send',
    tags: ['mail administration'],
    auth: { ...anyone, security: ['basic'] },
    body: json(
      z.object({
        name: z.string().min(1).max(9),
        to: z.union([z.string(), z.array(z.string())]).describe('`Ada <ada@example.org>`'),
        level: z.enum(['info', 'error']).optional(),
        parts: z.array(z.object({ text: z.string().describe("it's"), size: z.int().min(3) })),
        note: z.string().nullable().optional(),
      }),
    ),
    query: z.object({ page: z.string(), limit: z.coerce.number().int().min(1).max(50).default(20) }),
    responses: { 204: { description: 'Done, `really`.' } },
    handler: () => {},
  });
  endpoint(app, {
    method: 'post',
    path: '/files',
    operation: 'uploadFile',
    summary: 'Upload',
    tags: ['files'],
    auth: { ...account, optional: true },
    body: multipart(z.object({ originalName: z.string().optional() })),
    responses: { 201: { description: 'Created.' } },
    handler: () => {},
  });
  mountOpenApi(app, {
    problems: createProblems(PROBLEMS, GERMAN),
    version: '1.2.3',
    publicUrl: 'https://posthouse.example.org',
  });
  return app;
}

const get = async (path: string) => await exampleApp().request(path, {}, { peer: null });
const document = async () => (await (await get('/openapi.json')).json()) as OpenApi;

test('shows every endpoint on the page of its tag, escaped and without script, services first', async () => {
  const answer = await get('/docs/files');
  const introduction = await (await get('/docs')).text();
  const text = (await answer.text()) + (await (await get('/docs/mail-administration')).text());
  expect(answer.headers.get('Content-Security-Policy')).toStartWith("default-src 'none'; style-src 'sha256-");
  for (const anchor of ['get-items-itemId', 'post-items', 'post-files']) {
    expect(text).toContain(`<article id="${anchor}">`);
    expect(text).toContain(`<a href="#${anchor}">`);
    // Anchors of the former single page, to which links exist.
    expect(introduction).toContain(`<li id="${anchor}">`);
  }
  const position = (path: string) => introduction.indexOf(`href="${path}"`);
  expect(position('/docs/files')).toBeLessThan(position('/docs/mail-administration'));
  expect(text).toContain('Get an &lt;item&gt; &amp; &quot;more&quot;');
  expect(text).toContain('<a href="/docs/errors#access_key_wrong"><code>access_key_wrong</code></a>');
  expect(text).toContain('Done, <code>really</code>.');
  expect(text).toContain('<td>1 to 50; default 20</td>');
  expect(text).toContain('<td><strong>required</strong>; <code>Ada &lt;ada@example.org&gt;</code></td>');
  expect(text).not.toContain('<item>');
  expect(introduction + text).not.toMatch(/<script|\son\w+=|\sstyle=|src=/);
  expect(
    [...(introduction + text).matchAll(/href="([^"]*)"/g)].filter(([, href]) => !/^[/#]/.test(href ?? '')),
  ).toEqual([]);
});

test('finds operations by words of their path, summary, fields and errors', async () => {
  const found = async (query: string) => {
    const text = await (await get(`/docs?q=${encodeURIComponent(query)}`)).text();
    return [...text.matchAll(/<a href="(\/docs\/[^"]+#[^"]+)"/g)].map(([, href]) => href);
  };
  const upload = '/docs/files#post-files';
  expect(await found('UPLOAD')).toEqual([upload]);
  expect(await found('originalname')).toEqual([upload]);
  expect(await found('items get')).toEqual(['/docs/files#get-items-itemId']);
  expect(await found('access_key_wrong')).toEqual(['/docs/files#get-items-itemId']);
  expect(await found('size level')).toEqual(['/docs/mail-administration#post-items']);
  expect(await found('upload nothing')).toEqual([]);
  const text = await (await get('/docs?q=%3Cb%3E')).text();
  expect(text).toContain('No operation contains “&lt;b&gt;”.');
  expect(text).toContain('value="&lt;b&gt;"');
});

test('contains the operation of every endpoint', async () => {
  const { paths } = await document();
  expect(
    Object.values(paths).flatMap((item) => Object.values(item).map(({ operationId }) => operationId)),
  ).toEqual(['getItem', 'sendItems', 'uploadFile']);
});

test('declares optional credentials by an empty requirement', async () => {
  const { paths } = await document();
  expect(paths['/files']?.post?.security).toEqual([{}, { session: [] }, { bearer: [] }]);
  expect(paths['/items/{itemId}']?.get?.security).toEqual([{ session: [] }, { bearer: [] }]);
  const text = await (await get('/docs/files')).text();
  expect(text).toContain('Accepts a session cookie or a personal access token.');
  expect(text).toContain('Requires a session cookie or a personal access token.');
});

test('lists fields with path, type, limits and whether they are required', async () => {
  const described = await document();
  const schemas = createSchemas(described);
  const body = described.paths['/items']?.post?.requestBody?.content['application/json']?.schema ?? {};
  expect(schemas.fields(body)).toEqual([
    { path: 'name', type: 'string', required: true, about: '1 to 9 characters' },
    { path: 'to', type: 'string or array of string', required: true, about: '`Ada <ada@example.org>`' },
    { path: 'level', type: '"info" | "error"', required: false, about: '' },
    { path: 'parts', type: 'array of object', required: true, about: '' },
    { path: 'parts[].text', type: 'string', required: true, about: "it's" },
    { path: 'parts[].size', type: 'integer', required: true, about: 'at least 3' },
    { path: 'note', type: 'string or null', required: false, about: '' },
  ]);
});

test('shows curl commands that a shell accepts, with the required parameters', async () => {
  const described = await document();
  const schemas = createSchemas(described);
  const line = (method: string, path: string) => {
    const operation = described.paths[path]?.[method];
    if (!operation) throw new Error(`no ${method} ${path}`);
    return curlLine(described, { method, path, operation }, schemas);
  };
  expect(line('get', '/items/{itemId}')).toBe(
    'curl "https://posthouse.example.org/items/$ITEM_ID" \\\n  -H "Authorization: Bearer $TOKEN" \\\n  -o file',
  );
  expect(line('post', '/files')).toBe(
    'curl -X POST "https://posthouse.example.org/files" \\\n  -F \'file=@photo.jpg\'',
  );
  const words = Bun.spawnSync([
    'sh',
    '-c',
    `curl() { for word; do printf '%s\\n' "$word"; done; }
    CLIENT_ID=id CLIENT_SECRET=secret
    ${line('post', '/items')}`,
  ])
    .stdout.toString()
    .trim()
    .split('\n');
  expect(words).toEqual([
    '-X',
    'POST',
    'https://posthouse.example.org/items?page=%3Cpage%3E',
    '-u',
    'id:secret',
    '-H',
    'Content-Type: application/json',
    '-d',
    '{"name":"<name>","to":"someone@example.org","parts":[{"text":"<text>","size":3}]}',
  ]);
});

test('shows every error code under an anchor', async () => {
  const text = await (await get('/docs/errors')).text();
  expect(text).toContain(
    '<section id="quota_exceeded"><h2><code>quota_exceeded</code> <small>507</small></h2>',
  );
  expect(text).toContain('<code>POSTHOUSE_MAX_FILE_BYTES</code>');
});
