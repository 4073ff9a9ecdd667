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
});
