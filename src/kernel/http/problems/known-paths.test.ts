import { expect, test } from 'bun:test';
import { createApp } from '../context.ts';
import { createKnownPaths } from './known-paths.ts';

const app = createApp();
app.get('/', (c) => c.text('home'));
app.get('/Files/:id', (c) => c.text('file'));
app.delete('/Files/:fileId', (c) => c.text('deleted'));
app.post('/files/all', (c) => c.text('all'));
app.get('/files/:id/:part', (c) => c.text('part'));
app.get('/uploads/:id', (c) => c.text('offset'));
app.on('HEAD', '/uploads/:id', (c) => c.text('declared'));
app.get('/open/*', (c) => c.text('open'));
const knownPaths = createKnownPaths(app);

test.each([
  ['/files/aB', ['GET', 'DELETE']],
  ['/files/all', ['POST']],
  ['/uploads/aB', ['HEAD']],
])('%s has the methods of the routes with the most fixed names', (path, methods) => {
  expect([...(knownPaths.find(path)?.methods ?? [])]).toEqual(methods);
});

test.each([
  ['/files/aB', '/Files/aB'],
  ['/FILES/aB/', '/Files/aB'],
  ['/files/aB///', '/Files/aB'],
  ['/', '/'],
  ['///', '/'],
])('%s is %s', (given, written) => {
  expect(knownPaths.find(given)?.path).toBe(written);
});

test.each([
  ['inside', `/files${'/'.repeat(1_000_000)}a`],
  ['at the end of another path', `/a/b/c${'/'.repeat(1_000_000)}`],
])('a path with a million slashes %s is not known', (_, path) => {
  expect(knownPaths.find(path)).toBeNull();
});

test.each([
  ['/Files/:id', true],
  ['/files/all', false],
  ['/files/:id/:part', false],
  ['/', false],
  ['/open/*', true],
  ['/middleware/*', true],
])('a path of %s can be that of a route with more fixed names: %p', (pattern, expected) => {
  for (let times = 0; times < 2; times++) expect(knownPaths.isAmbiguous(pattern)).toBe(expected);
});
