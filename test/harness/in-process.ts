import { afterAll } from 'bun:test';
import { shapeConfig } from '../../src/config/config.ts';
import { readSettings } from '../../src/config/env.ts';
import { type EngineLimits, SERVER_LIMITS } from '../../src/engine-limits.ts';
import { type RunningServer, startServer } from '../../src/server.ts';

const running: RunningServer[] = [];
afterAll(async () => {
  for (const server of running.splice(0)) await server.stop();
});

/** Starts a server in this process, with other time limits than those of production. */
export async function startInProcess(settings: Record<string, string>, limits: EngineLimits = SERVER_LIMITS) {
  const { config, secrets } = shapeConfig(readSettings({}, { PORT: '0', ...settings }));
  const server = await startServer({ ...config, logLevel: 'silent' }, secrets, { limits });
  running.push(server);
  return {
    url: server.url,
    async stop() {
      running.splice(running.indexOf(server), 1);
      await server.stop();
    },
    fetch: (path: string, init?: RequestInit) =>
      fetch(new URL(path, server.url), { redirect: 'manual', ...init }),
  };
}
