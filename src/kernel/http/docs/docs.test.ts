import { expect, test } from 'bun:test';
import { z } from '@hono/zod-openapi';
import { createApp } from '../context.ts';
import { endpoint } from '../endpoint.ts';
import { mountOpenApi } from '../openapi.ts';
import { curlLine } from './curl.ts';
import { createSchemas, type OpenApi } from './schema.ts';

/** An app with one endpoint of every kind; its texts try to break out of the page. */
function madeUpApp() {
  const app = createApp();
  const answer = () => new Response('');
  endpoint(
    app,
    'get',
    '/things/{thingId}',
    {
      summary: 'One <thing> & "more"',
      tags: ['files'],
      security: ['session', 'bearer'],
      answers: { 200: { description: 'The bytes.', schema: z.string(), mediaType: 'application/octet-stream' } },
      problems: ['not_found', 'access_key_wrong'],
    },
    answer,
  );
  endpoint(
    app,
    'post',
    '/things',
    {
      summary: 'Send',
      tags: ['mail administration'],
      security: ['basic'],
      body: {
        'application/json': z.object({
          name: z.string().min(1).max(9),
          to: z.union([z.string(), z.array(z.string())]).describe('`Ada <ada@example.org>`'),
          level: z.enum(['info', 'error']).optional(),
          parts: z.array(z.object({ text: z.string().describe("it's"), size: z.int().min(3) })),
          note: z.string().nullable().optional(),
        }),
      },
      query: z.object({ page: z.string(), limit: z.coerce.number().int().min(1).max(50).default(20) }),
      answers: { 204: { description: 'Done, `really`.' } },
    },
    answer,
  );
  endpoint(
    app,
    'post',
    '/files',
    {
      summary: 'Upload',
      tags: ['files'],
      body: { 'multipart/form-data': z.object({ file: z.string(), originalName: z.string().optional() }) },
      answers: { 201: { description: 'Made.' } },
    },
    answer,
  );
  mountOpenApi(app, '1.2.3', 'https://posthouse.example.org');
  return app;
}

const get = async (path: string) => await madeUpApp().request(path, {}, { peer: null });
const document = async () => (await (await get('/openapi.json')).json()) as OpenApi;

test('the page shows every endpoint under an anchor, services first, escaped and without script', async () => {
  const answer = await get('/docs');
  const text = await answer.text();
  expect(answer.headers.get('Content-Security-Policy')).toStartWith("default-src 'none'; style-src 'sha256-");
  for (const anchor of ['get-things-thingId', 'post-things', 'post-files']) {
    expect(text).toContain(`<article id="${anchor}">`);
    expect(text).toContain(`<a href="#${anchor}">`);
  }
  expect(text.indexOf('id="tag-files"')).toBeLessThan(text.indexOf('id="tag-mail-administration"'));
  expect(text).toContain('One &lt;thing&gt; &amp; &quot;more&quot;');
  expect(text).toContain('<a href="/docs/errors#access_key_wrong"><code>access_key_wrong</code></a>');
  expect(text).toContain('Done, <code>really</code>.');
  expect(text).toContain('<td>1 to 50; default 20</td>');
  expect(text).toContain('<td><strong>required</strong>; <code>Ada &lt;ada@example.org&gt;</code></td>');
  expect(text).not.toContain('<thing>');
  expect(text).not.toMatch(/<script|\son\w+=|\sstyle=|(?:src|action)=/);
  expect([...text.matchAll(/href="([^"]*)"/g)].filter(([, href]) => !/^[/#]/.test(href ?? ''))).toEqual([]);
});

test('every endpoint has a name of its own for programs that make clients', async () => {
  const { paths } = await document();
  expect(Object.values(paths).flatMap((item) => Object.values(item).map(({ operationId }) => operationId))).toEqual([
    'getThingsThingId',
    'postThings',
    'postFiles',
  ]);
});

test('fields are told with nesting, type, limits and whether they must be there', async () => {
  const described = await document();
  const schemas = createSchemas(described);
  const body = described.paths['/things']?.post?.requestBody?.content['application/json']?.schema ?? {};
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

test('curl lines carry what the endpoint needs, and a shell takes them as they stand', async () => {
  const described = await document();
  const schemas = createSchemas(described);
  const line = (method: string, path: string) => {
    const operation = described.paths[path]?.[method];
    if (!operation) throw new Error(`no ${method} ${path}`);
    return curlLine(described, method, path, operation, schemas);
  };
  expect(line('get', '/things/{thingId}')).toBe(
    'curl "https://posthouse.example.org/things/$THING_ID" \\\n  -H "Authorization: Bearer $TOKEN" \\\n  -o file',
  );
  expect(line('post', '/files')).toBe('curl -X POST "https://posthouse.example.org/files" \\\n  -F \'file=@photo.jpg\'');
  const words = Bun.spawnSync([
    'sh',
    '-c',
    `curl() { for word; do printf '%s\\n' "$word"; done; }; CLIENT_ID=id CLIENT_SECRET=secret; ${line('post', '/things')}`,
  ])
    .stdout.toString()
    .trim()
    .split('\n');
  expect(words).toEqual([
    '-X',
    'POST',
    'https://posthouse.example.org/things?page=%3Cpage%3E',
    '-u',
    'id:secret',
    '-H',
    'Content-Type: application/json',
    '-d',
    '{"name":"<name>","to":"someone@example.org","parts":[{"text":"<text>","size":3}]}',
  ]);
});

test('the page of errors has an anchor for every code', async () => {
  const text = await (await get('/docs/errors')).text();
  expect(text).toContain('<section id="quota_exceeded"><h2><code>quota_exceeded</code> <small>507</small></h2>');
  expect(text).toContain('<code>POSTHOUSE_WORKSPACE_BYTES</code>');
});
