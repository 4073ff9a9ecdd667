import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { BACKENDS, freshSettings } from './harness/backends.ts';
import { type Posthouse, startPosthouse } from './harness/posthouse.ts';

describe.each(BACKENDS)('operation on %s', (backend) => {
  let posthouse: Posthouse;
  beforeAll(async () => {
    posthouse = await startPosthouse(await freshSettings(backend));
  });
  afterAll(() => posthouse.stop());

  test('healthz answers', async () => {
    const answer = await posthouse.fetch('/healthz');
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ status: 'ok' });
  });

  test('an unknown path is a problem with a request id', async () => {
    const answer = await posthouse.fetch('/nothing/here');
    expect(answer.status).toBe(404);
    expect(answer.headers.get('Content-Type')).toBe('application/problem+json');
    const problem = (await answer.json()) as { code: string; requestId: string };
    expect(problem.code).toBe('not_found');
    expect(problem.requestId).toBe(answer.headers.get('X-Request-Id') ?? '');
  });

  test('readyz names every part, and every answer carries the usual headers', async () => {
    const answer = await posthouse.fetch('/readyz');
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ status: 'ready', parts: { database: 'ok', outbox: 'ok', blobs: 'ok' } });
    expect(answer.headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(answer.headers.get('X-Frame-Options')).toBe('DENY');
    expect(answer.headers.get('Content-Security-Policy')).toBe("default-src 'none'; frame-ancestors 'none'");
  });

  test('HEAD answers wherever GET does', async () => {
    for (const path of ['/healthz', '/openapi.json', '/Ping']) {
      const head = await posthouse.fetch(path, { method: 'HEAD' });
      expect(head.status).toBe(200);
      expect(await head.text()).toBe('');
    }
  });

  test('metrics go to loopback, but not through a proxy without the token', async () => {
    const local = await posthouse.fetch('/metrics');
    expect(local.status).toBe(200);
    expect(await local.text()).toContain('posthouse_http_request_duration_seconds');
    const forwarded = await posthouse.fetch('/metrics', { headers: { 'X-Forwarded-For': '192.0.2.1' } });
    expect(forwarded.status).toBe(403);
    expect(((await forwarded.json()) as { code: string }).code).toBe('metrics_forbidden');
  });
});

test('a node offers only the services that it is asked for', async () => {
  const posthouse = await startPosthouse({ ...(await freshSettings('sqlite+local')), POSTHOUSE_SERVICES: 'mail,chat' });
  const statusOf = async (path: string) => (await posthouse.fetch(path)).status;
  expect(await statusOf('/Ping')).toBe(200);
  expect(await statusOf('/api/chatbot/ping')).toBe(200);
  for (const path of ['/login', '/api/me', '/api/storage/files/root', '/']) expect(await statusOf(path)).toBe(404);
  await posthouse.stop();
});
