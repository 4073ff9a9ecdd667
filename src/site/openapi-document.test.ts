import { expect, test } from 'bun:test';
import { z } from '@hono/zod-openapi';
import { anyone } from '../kernel/http/auth.ts';
import { createApp } from '../kernel/http/context.ts';
import { endpoint } from '../kernel/http/endpoint.ts';
import { createProblems } from '../kernel/http/problems/problems.ts';
import { openApiDocument } from './openapi-document.ts';

test('many endpoints are described in small steps, with the same result as in one', async () => {
  const app = createApp();
  const shared = z.object({ id: z.string() }).openapi('Shared');
  const common = { tags: [], auth: anyone };
  const handler = () => ({ id: '' });
  for (let index = 0; index < 50; index++) {
    for (const method of ['get', 'delete'] as const) {
      const operation = `${method}${index}`;
      // A schema has the description of its first use.
      const schema = index === 0 ? shared.openapi({ description: 'The first' }) : shared;
      const responses = { 200: { description: 'It.', schema } };
      endpoint(app, {
        ...common,
        responses,
        method,
        path: `/${index}`,
        operation,
        summary: operation,
        handler,
      });
    }
  }
  let steps = 0;
  const deps = { problems: createProblems({}, {}), version: '1', publicUrl: 'http://localhost' };
  const document = await openApiDocument(app, deps, () => {
    steps++;
    return undefined;
  });
  expect(steps).toBeGreaterThanOrEqual(25);
  const { paths, components } = app.getOpenAPI31Document({ openapi: '3.1.0', info: document.info as never });
  expect(Object.keys(document.paths)).toEqual(Object.keys(paths ?? {}));
  expect(document.paths).toMatchObject({ '/49': { get: { operationId: 'get49' }, delete: {} } });
  expect(document.components?.schemas?.Shared).toEqual(components?.schemas?.Shared as object);
  expect(document.components?.schemas?.Shared).toMatchObject({ description: 'The first' });
  expect(Object.keys(document.components ?? {})).toEqual([
    'securitySchemes',
    'schemas',
    'responses',
    'parameters',
  ]);
});
