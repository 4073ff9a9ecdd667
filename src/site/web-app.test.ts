import { expect, test } from 'bun:test';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Hono } from 'hono';
import { freshDirectory } from '../../test/harness/backends.ts';
import type { App } from '../kernel/http/context.ts';
import { createLog } from '../kernel/log.ts';
import { createWebApp } from './web-app.ts';

test('a build that is removed is made again, instead of empty scripts that browsers keep', async () => {
  const directory = join(freshDirectory(), 'web');
  const build = join(directory, 'key');
  const manifest = { assets: { 'app.js': { type: 'text/javascript', compressed: false } } };
  let builds = 0;
  const webApp = createWebApp({
    directory,
    visitorPage: () => null,
    log: createLog('silent'),
    async makeBuild() {
      builds++;
      mkdirSync(build, { recursive: true });
      writeFileSync(join(build, 'manifest.json'), JSON.stringify(manifest));
      writeFileSync(join(build, 'app.js'), 'script');
      return build;
    },
  });
  const app = new Hono();
  webApp.mount(app as unknown as App);
  const script = async () => await (await app.request('/assets/app.js')).text();
  expect(await script()).toBe('script');
  rmSync(directory, { recursive: true });
  expect(await Promise.all([script(), script()])).toEqual(['script', 'script']);
  expect(builds).toBe(2);
});
