import { expect, test } from 'bun:test';
import type { Router } from 'hono/router';
import { TrieRouter } from 'hono/router/trie-router';
import { createRouter } from './router.ts';

const ROUTES = [
  ['ALL', '/api/*'],
  ['GET', '/messages/:id'],
  ['GET', '/messages/statistics'],
  ['POST', '/messages/resend'],
  ['GET', '/messages/:id/parts/:part'],
  ['GET', '/'],
  ['GET', '/api/files'],
  ['ALL', '/api/files'],
  ['DELETE', '/api/files/:id'],
  ['GET', '/files/*'],
  ['ALL', '/public/*'],
  ['GET', '/public/:token'],
  ['GET', '/public/:token/export'],
  ['GET', '/public/:token/:folder'],
  ['POST', '/public/:token/files'],
] as const;
const PATHS = [
  ...['/', '/messages', '/messages/1', '/messages/statistics', '/messages/resend', '/messages/1/parts/2'],
  ...['/public/t', '/public/t/export', '/public/t/f', '/public/t/files', '/public/t/f/none'],
  ...['/api', '/api/files', '/api/files/', '/api/files/1', '/files', '/files/a/b', '/Messages/1', '/none'],
];

test('finds the same handlers and parameters as a tree, in the same order, at each request', () => {
  const [ours, tree] = [createRouter<string>(), new TrieRouter<string>()];
  for (const [method, path] of ROUTES)
    for (const router of [ours, tree]) router.add(method, path, `${method} ${path}`);
  for (const method of ['GET', 'POST', 'DELETE', 'PUT'])
    for (const path of [...PATHS, ...PATHS])
      expect([method, path, found(ours, method, path)]).toEqual([method, path, found(tree, method, path)]);
});

/** Handlers with the values of their parameters. A router returns the values, or their places in a list. */
function found(router: Router<string>, method: string, path: string) {
  const [handlers, values = []] = router.match(method, path);
  return handlers.map(([handler, params]) => [
    handler,
    Object.fromEntries(
      Object.entries(params).map(([name, value]) => [
        name,
        typeof value === 'number' ? values[value] : value,
      ]),
    ),
  ]);
}
