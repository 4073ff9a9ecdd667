import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { BACKENDS, freshDirectory, freshSettings } from './harness/backends.ts';
import { filesOf } from './harness/files.ts';
import {
  addPerson,
  type Posthouse,
  runCommand,
  spawnCommand,
  startPosthouse,
  startProcess,
} from './harness/posthouse.ts';
import { until } from './harness/until.ts';

describe.each(BACKENDS)('operation on %s', (backend) => {
  let posthouse: Posthouse;
  beforeAll(async () => {
    posthouse = await startPosthouse(await freshSettings(backend));
  });
  afterAll(() => posthouse.stop());

  test('responds to /healthz', async () => {
    const answer = await posthouse.fetch('/healthz');
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ status: 'ok' });
  });

  test('responds to an unknown path with a problem and its request id', async () => {
    const answer = await posthouse.fetch('/nothing/here');
    expect(answer.status).toBe(404);
    expect(answer.headers.get('Content-Type')).toBe('application/problem+json');
    const problem = (await answer.json()) as { code: string; requestId: string };
    expect(problem.code).toBe('not_found');
    expect(problem.requestId).toBe(answer.headers.get('X-Request-Id') ?? '');
  });

  test('lists the dependencies in /readyz, with the security headers', async () => {
    const answer = await posthouse.fetch('/readyz');
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({
      status: 'ready',
      parts: { database: 'ok', outbox: 'ok', blobs: 'ok' },
    });
    expect(answer.headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(answer.headers.get('X-Frame-Options')).toBe('DENY');
    expect(answer.headers.get('Content-Security-Policy')).toBe("default-src 'none'; frame-ancestors 'none'");
  });

  test('accepts paths in any letter case, and with a slash at the end', async () => {
    for (const path of ['/ping', '/PING/TEST', '/Api/Ping/Test/', '/api/chatbot/PING']) {
      const answer = await posthouse.fetch(path);
      expect([path, answer.status, await answer.text()]).toEqual([path, 200, 'Pong']);
    }
    for (const path of ['/api/storage/FILES/root/', '/API/Storage/Files/ROOT', '/API/ME']) {
      expect([path, (await posthouse.fetch(path)).status]).toEqual([path, 401]);
    }
    const send = (path: string) => posthouse.fetch(path, { method: 'POST', body: '{}' });
    for (const path of ['/RequestEmail', '/api/chatbot/SendMessage/', '/api/chatbot/cansendmessage']) {
      expect([path, (await send(path)).status]).toEqual([path, 415]);
    }
    for (const path of ['/pin', '/ping/x', '/api', '/api//', '/api/storage/files//metadata']) {
      expect([path, (await posthouse.fetch(path)).status]).toEqual([path, 404]);
    }
  });

  test('every name of every path may have any letter case', async () => {
    const { paths } = (await (await posthouse.fetch('/openapi.json')).json()) as {
      paths: Record<string, Record<string, object>>;
    };
    const outcome = async (method: string, path: string) => {
      const answer = await posthouse.fetch(path, { method: method.toUpperCase() });
      const text = await answer.text();
      return [answer.status, /"code":"(\w+)"/.exec(text)?.[1]];
    };
    const differences: unknown[] = [];
    for (const [pattern, methods] of Object.entries(paths)) {
      const segments = pattern.replace(/\{\w+\}/g, crypto.randomUUID()).split('/');
      for (const method of Object.keys(methods).filter((name) => name !== 'parameters')) {
        const expected = await outcome(method, segments.join('/'));
        for (const [index, segment] of segments.entries()) {
          if (!/[a-z]/.test(segment) || pattern.split('/')[index]?.startsWith('{')) continue;
          const path = segments.with(index, segment.toUpperCase()).join('/');
          const actual = await outcome(method, path);
          if (!Bun.deepEquals(actual, expected)) differences.push([method, path, actual, expected]);
        }
      }
    }
    expect(differences).toEqual([]);
  });

  test('responds to another method with 405 and the methods of the path', async () => {
    for (const [method, path, allow] of [
      ['GET', '/requestemail', 'OPTIONS, POST'],
      ['POST', '/Ping', 'GET, HEAD, OPTIONS'],
      ['GET', '/LOGOUT/', 'OPTIONS, POST'],
      ['PUT', '/api/storage/files/root/replace', 'OPTIONS, POST'],
      ['PUT', `/api/storage/uploads/${crypto.randomUUID()}`, 'DELETE, HEAD, OPTIONS, PATCH, POST'],
      ['PUT', '/public/folder/a-token/uploads/a-key', 'DELETE, HEAD, OPTIONS, PATCH, POST'],
      ['PUT', '/api/storage/files/root', 'DELETE, GET, HEAD, OPTIONS, PATCH, POST'],
      // These match a route with an id, too.
      ['GET', '/api/admin/messages/resend', 'OPTIONS, POST'],
      ['GET', '/oidc/token', 'OPTIONS, POST'],
      ['POST', '/oidc/jwks', 'GET, HEAD, OPTIONS'],
      ['GET', '/public/folder/a-token/files', 'OPTIONS, POST'],
      ['GET', '/public/folder/a-token/uploads', 'OPTIONS, POST'],
      ['POST', '/public/folder/a-token/export', 'GET, HEAD, OPTIONS'],
    ] as const) {
      const answer = await posthouse.fetch(path, { method });
      const { code } = (await answer.json()) as { code: string };
      expect([path, answer.status, code, answer.headers.get('Allow')]).toEqual([
        path,
        405,
        'method_not_allowed',
        allow,
      ]);
    }
    const options = await posthouse.fetch('/api/storage/folders', { method: 'OPTIONS' });
    expect([options.status, options.headers.get('Allow')]).toEqual([204, 'OPTIONS, POST']);
  });

  test('JSON at an address whose errors may be pages has a Vary header that says so', async () => {
    const { headers } = await posthouse.fetch('/api/welcome');
    expect(headers.get('Vary')).toBe('Accept, Sec-Fetch-Dest');
  });

  test('sends errors to browsers as pages, and to programs as JSON', async () => {
    for (const [headers, type] of [
      [{ 'Sec-Fetch-Dest': 'document', Accept: '*/*' }, 'text/html; charset=utf-8'],
      [
        { 'Sec-Fetch-Dest': 'iframe', 'Sec-Fetch-Mode': 'navigate', Accept: '*/*' },
        'text/html; charset=utf-8',
      ],
      [{ Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }, 'text/html; charset=utf-8'],
      [{ 'Sec-Fetch-Dest': 'empty', Accept: 'text/html' }, 'application/problem+json'],
      [{ Accept: 'application/json, text/html;q=0.5' }, 'application/problem+json'],
      [{ Accept: '*/*' }, 'application/problem+json'],
    ] as const) {
      for (const path of ['/nothing/here', '/api/me', '/logout']) {
        const answer = await posthouse.fetch(path, { headers });
        expect([path, headers, answer.headers.get('Content-Type')]).toEqual([path, headers, type]);
        expect(answer.headers.get('Vary')).toStartWith('Accept, Sec-Fetch-Dest, Sec-Fetch-Mode');
      }
    }
    const page = await posthouse.fetch('/nothing/<b>here', { headers: { Accept: 'text/html' } });
    expect([page.status, await page.text()]).toEqual([404, expect.not.stringContaining('<b>')]);
  });

  test('supports HEAD wherever it supports GET', async () => {
    for (const path of [
      '/healthz',
      '/openapi.json',
      '/docs',
      '/Ping',
      '/',
      '/login',
      '/nothing',
      '/api/me',
    ]) {
      const got = await posthouse.fetch(path);
      const head = await posthouse.fetch(path, { method: 'HEAD' });
      expect([path, head.status, await head.text()]).toEqual([path, got.status, '']);
      // RFC 9110 §8.6
      for (const name of ['Content-Length', 'Content-Type'])
        expect([path, head.headers.get(name)?.toLowerCase()]).toEqual([
          path,
          got.headers.get(name)?.toLowerCase(),
        ]);
    }
  });

  test('serves /metrics to local requests, but not through a proxy or with a foreign Host', async () => {
    const local = await posthouse.fetch('/metrics');
    expect(local.status).toBe(200);
    expect(await local.text()).toContain('posthouse_http_request_duration_seconds');
    const own = await posthouse.fetch('/metrics', { headers: { Host: 'localhost' } });
    expect(own.status).toBe(200);
    for (const headers of [{ 'X-Forwarded-For': '192.0.2.1' }, { Host: 'rebound.example' }] as Record<
      string,
      string
    >[]) {
      const refused = await posthouse.fetch('/metrics', { headers });
      expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([
        403,
        'metrics_forbidden',
      ]);
    }
  });

  test('declares the credentials of /metrics as optional', async () => {
    const { paths } = (await (await posthouse.fetch('/openapi.json')).json()) as {
      paths: Record<string, Record<string, { security: object[] }>>;
    };
    expect(paths['/metrics']?.get?.security).toEqual([{}, { bearer: [] }, { session: [] }]);
  });

  test('documents every endpoint, without script and foreign addresses', async () => {
    const document = (await (await posthouse.fetch('/openapi.json')).json()) as {
      openapi: string;
      paths: Record<string, Record<string, { operationId: string }>>;
    };
    expect(document.openapi).toBe('3.1.0');
    const names = Object.values(document.paths).flatMap((item) =>
      Object.values(item).map(({ operationId }) => operationId),
    );
    expect(new Set(names).size).toBe(names.length);
    const introduction = await posthouse.fetch('/docs');
    expect(introduction.headers.get('Content-Type')).toBe('text/html; charset=utf-8');
    expect(introduction.headers.get('Content-Security-Policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'/,
    );
    const first = await introduction.text();
    const paths = new Set([...first.matchAll(/href="(\/docs\/[^"#]+)"/g)].map(([, path = '']) => path));
    const texts = await Promise.all([...paths].map(async (path) => (await posthouse.fetch(path)).text()));
    const page = [first, ...texts].join('');
    const shown = [...page.matchAll(/<span class="path">(\/[^<]+)<\/span>/g)].map(([, path]) => path ?? '');
    expect(new Set(shown)).toEqual(new Set(Object.keys(document.paths)));
    const anchors = [...page.matchAll(/<article id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(anchors).size).toBe(anchors.length);
    expect(page).not.toMatch(/<script|\sstyle="|\son\w+="/);
    for (const path of [
      '/requestemail',
      '/api/chatbot/sendmessage',
      '/api/storage/files/{id}',
      '/public/file/{token}',
      '/api/me',
      '/healthz',
    ])
      expect(shown).toContain(path);
  });

  test('links every error to its remedy', async () => {
    const problem = (await (await posthouse.fetch('/nothing')).json()) as { type: string; code: string };
    const page = await (await posthouse.fetch(problem.type)).text();
    expect(page).toContain(`<section id="${problem.code}">`);
  });

  test('refuses an unreadable body with the reason', async () => {
    const refusal = async (body: string, type = 'application/json') => {
      const answer = await posthouse.fetch('/api/chatbot/sendmessage', {
        method: 'POST',
        headers: { 'Content-Type': type },
        body,
      });
      const problem = (await answer.json()) as { code: string; errors?: { path: string }[] };
      return [answer.status, problem.code, problem.errors?.map(({ path }) => path)];
    };
    expect(await refusal('{"clientId": ')).toEqual([400, 'invalid_request', ['body']]);
    expect(await refusal('[]')).toEqual([400, 'invalid_request', ['body']]);
    expect(await refusal('{"clientId": 1, "message": ""}')).toEqual([
      400,
      'invalid_request',
      ['clientId', 'guildId', 'channelId', 'message'],
    ]);
    expect(await refusal('{}', 'text/plain')).toEqual([415, 'unsupported_media_type', undefined]);
    expect(await refusal(`{"message": "${'x'.repeat(1_100_000)}"}`)).toEqual([
      413,
      'body_too_large',
      undefined,
    ]);
  });
});

test('serves only the configured services', async () => {
  const posthouse = await startPosthouse({
    ...(await freshSettings('sqlite+local')),
    POSTHOUSE_SERVICES: 'mail,chat',
  });
  const statusOf = async (path: string) => (await posthouse.fetch(path)).status;
  expect(await statusOf('/Ping')).toBe(200);
  expect(await statusOf('/api/chatbot/ping')).toBe(200);
  for (const path of ['/login', '/api/me', '/api/storage/files/root', '/'])
    expect(await statusOf(path)).toBe(404);
  await posthouse.stop();
});

test('logs no secret of a request', async () => {
  const posthouse = await startPosthouse({
    ...(await freshSettings('sqlite+local')),
    POSTHOUSE_LOG_LEVEL: 'trace',
  });
  const secret = 'hunter2hunter2hunter2hunter2';
  const json = { 'Content-Type': 'application/json' };
  await Promise.all([
    posthouse.fetch(`/api/storage/public/media/${secret}?accessKey=${secret}&filePassword=${secret}`),
    posthouse.fetch(`/api/storage/public/private/0190a5b4-7c1e-7000-8000-000000000000?key=${secret}`),
    posthouse.fetch(`/public/file/${secret}`),
    posthouse.fetch(`/setup/${secret}`),
    posthouse.fetch(`/password/${secret}`),
    posthouse.fetch(`/auth/callback?code=${secret}&state=${secret}`),
    posthouse.fetch('/api/me', {
      headers: { Authorization: `Bearer ${secret}`, Cookie: `posthouse=${secret}` },
    }),
    posthouse.fetch('/messages/0190a5b4-7c1e-7000-8000-000000000000', {
      headers: { Authorization: `Basic ${btoa(`x:${secret}`)}` },
    }),
    posthouse.fetch('/requestemail', {
      method: 'POST',
      headers: json,
      body: JSON.stringify({
        ClientId: 'x',
        ClientSecret: secret,
        To: 'a@example.org',
        SmtpConfiguration: { Password: secret },
      }),
    }),
    posthouse.fetch('/requesttelegram', {
      method: 'POST',
      headers: json,
      body: `{"ClientSecret": "${secret}", "BotToken": "123456:${secret}", broken`,
    }),
    posthouse.fetch(`/${secret}`, {
      method: 'PUT',
      headers: { 'X-Access-Key': secret, 'X-File-Password': secret, 'X-Relay-Key': secret },
    }),
  ]);
  expect(await posthouse.stop()).toBe(0);
  expect(posthouse.output()).toContain('"route":"/requestemail"');
  expect(posthouse.output()).not.toContain(secret);
  expect(posthouse.output()).not.toContain(btoa(`x:${secret}`));
});

test('names a failing dependency in /readyz and keeps running', async () => {
  using bucket = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () => new Response('broken', { status: 500 }),
  });
  const posthouse = await startPosthouse({
    ...(await freshSettings('sqlite+local')),
    POSTHOUSE_S3_URL: `s3://bucket?endpoint=${encodeURIComponent(bucket.url.origin)}&region=x`,
    AWS_ACCESS_KEY_ID: 'x',
    AWS_SECRET_ACCESS_KEY: 'y',
  });
  const answer = await posthouse.fetch('/readyz');
  expect(answer.status).toBe(503);
  expect(await answer.json()).toMatchObject({ code: 'not_ready', errors: [{ path: 'blobs' }] });
  expect((await posthouse.fetch('/healthz')).status).toBe(200);
  expect(await posthouse.stop()).toBe(0);
});

test.each([
  ['removed', () => {}],
  ['replaced by a file', (path: string) => writeFileSync(path, '')],
])('a directory of files that is %s makes requests for files 503 until it is back', async (_, replace) => {
  const settings = await freshSettings('sqlite+local');
  const posthouse = await startPosthouse(settings);
  const { headers } = await addPerson(settings, 'ada@example.org');
  const files = filesOf(posthouse, headers);
  const sizes = [10, 200_000];
  const ids: string[] = [];
  for (const size of sizes) ids.push((await files.upload('x'.repeat(size), { name: `${size}.bin` })).id);
  const download = (id: string, more = {}) =>
    posthouse.fetch(`/api/storage/files/${id}/content`, { headers: { ...headers, ...more } });
  const requests = () => [
    ...ids.map((id) => download(id)),
    ...ids.map((id) => download(id, { Range: 'bytes=0-4' })),
    ...sizes.map((size) => files.send('root', 'x'.repeat(size))),
  ];
  const statuses = () => Promise.all(requests().map(async (answer) => (await answer).status));
  const path = join(settings.POSTHOUSE_DATA_DIR ?? '', 'blobs');
  renameSync(path, `${path}.away`);
  replace(path);
  expect(await statuses()).toEqual(Array(6).fill(503));
  // Results of probes are kept for a while.
  await until(async () => (await posthouse.fetch('/readyz')).status === 503);
  rmSync(path, { force: true });
  renameSync(`${path}.away`, path);
  expect(await statuses()).toEqual([200, 200, 206, 206, 201, 201]);
  expect(await posthouse.stop()).toBe(0);
});

test('uploads continue after folders in the directory of files were removed', async () => {
  const settings = await freshSettings('sqlite+local');
  const posthouse = await startPosthouse(settings);
  const { headers } = await addPerson(settings, 'ada@example.org');
  const files = filesOf(posthouse, headers);
  const blobs = join(settings.POSTHOUSE_DATA_DIR ?? '', 'blobs');
  const { id } = await files.upload('before');
  const [path = ''] = [...new Bun.Glob('??/*').scanSync(blobs)];
  const kept = readFileSync(join(blobs, path));
  for (const folder of readdirSync(blobs)) rmSync(join(blobs, folder), { recursive: true });
  const content = async (of: string) => await (await files.get(`/api/storage/files/${of}/content`)).text();
  expect(await content((await files.upload('after')).id)).toBe('after');
  // From a backup, for example.
  mkdirSync(join(blobs, dirname(path)), { recursive: true });
  writeFileSync(join(blobs, path), kept);
  expect(await content(id)).toBe('before');
  expect((await posthouse.fetch('/readyz')).status).toBe(200);
  expect(await posthouse.stop()).toBe(0);
});

test('names the setting of a missing bucket at the start, in /readyz and in doctor', async () => {
  const missing = '<Error><Code>NoSuchBucket</Code></Error>';
  using bucket = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () => new Response(missing, { status: 404 }),
  });
  const posthouse = await startPosthouse({
    ...(await freshSettings('sqlite+local')),
    POSTHOUSE_S3_URL: `s3://bucket?endpoint=${encodeURIComponent(bucket.url.origin)}&region=x`,
    AWS_ACCESS_KEY_ID: 'x',
    AWS_SECRET_ACCESS_KEY: 'y',
  });
  const sentence = 'the bucket in POSTHOUSE_S3_URL does not exist';
  await until(() => posthouse.output().includes('a dependency failed'));
  const line = posthouse
    .output()
    .split('\n')
    .find((each) => each.includes('a dependency failed'));
  expect(JSON.parse(line ?? '')).toMatchObject({
    level: 'error',
    dependency: 'blobs',
    reason: `S3 answered 404 (NoSuchBucket) to a GET: ${sentence}`,
  });
  expect(line).not.toContain('stack');
  expect(await (await posthouse.fetch('/readyz')).json()).toMatchObject({
    errors: [{ path: 'blobs', message: 'does not work: check POSTHOUSE_S3_URL' }],
  });
  const { stdout, status } = await runCommand(posthouse.settings, 'doctor');
  expect(status).toBe(1);
  expect(stdout).toContain(`${sentence}. Check POSTHOUSE_S3_URL`);
  expect(await posthouse.stop()).toBe(0);
});

test('a node with another file store than that of the other nodes is not ready', async () => {
  const settings = await freshSettings('postgres+s3');
  const node = await startPosthouse(settings);
  const { headers } = await addPerson(settings, 'ada@example.org');
  await filesOf(node, headers).upload('content', { name: 'a.txt' });
  const { POSTHOUSE_S3_URL: _, ...wrong } = settings;
  const other = await startPosthouse({ ...wrong, POSTHOUSE_DATA_DIR: freshDirectory() });
  const refused = await other.fetch('/readyz');
  expect([refused.status, await refused.json()]).toMatchObject([
    503,
    { errors: [{ path: 'blobs', message: 'does not work: check POSTHOUSE_S3_URL' }] },
  ]);
  expect((await node.fetch('/readyz')).status).toBe(200);
  await Promise.all([node.stop(), other.stop()]);
});

test('only one server runs per SQLite data directory, also after a kill', async () => {
  const settings = await freshSettings('sqlite+local');
  const first = await startProcess(settings);
  const second = await spawnCommand({ ...settings, PORT: '0' }, 'serve');
  expect([second.status, second.stdout]).toEqual([1, '']);
  expect(second.stderr).toBe(
    `posthouse: A Posthouse server is running with the data directory ${settings.POSTHOUSE_DATA_DIR}. Stop it first, or set POSTHOUSE_DATA_DIR to another directory.\n`,
  );
  // Commands run at the same time.
  expect((await spawnCommand(settings, 'user', 'list')).status).toBe(0);
  await first.kill();
  const third = await startPosthouse(settings);
  await third.stop();
  const fourth = await startPosthouse(settings);
  await fourth.stop();
});

test('warns at the start of passwords in clear text and of a key file that others can read', async () => {
  const settings: Record<string, string> = {
    ...(await freshSettings('sqlite+local')),
    POSTHOUSE_PUBLIC_URL: 'http://files.example',
  };
  writeFileSync(join(settings.POSTHOUSE_DATA_DIR ?? '', 'secret.key'), `${'A'.repeat(43)}\n`);
  chmodSync(join(settings.POSTHOUSE_DATA_DIR ?? '', 'secret.key'), 0o640);
  const posthouse = await startPosthouse(settings);
  const warnings = posthouse
    .output()
    .split('\n')
    .filter((line) => line.includes('"level":"warn"'))
    .map((line) => (JSON.parse(line) as { msg: string }).msg);
  await posthouse.stop();
  expect(warnings).toHaveLength(2);
  expect(warnings[0]).toStartWith('http://files.example is not encrypted, so passwords');
  expect(warnings[1]).toContain('secret.key (mode 640): run chmod 600');
});

test('refuses to start with another server key than that of the database', async () => {
  const settings = await freshSettings('postgres+s3');
  const one = await startPosthouse(settings);
  const { status, stderr } = await spawnCommand(
    { ...settings, POSTHOUSE_SECRET: 'another key, of more than 32 characters', PORT: '0' },
    'serve',
  );
  expect(status).toBe(1);
  expect(stderr).toContain('another server key');
  await one.stop();
});
