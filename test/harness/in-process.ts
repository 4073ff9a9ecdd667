import { shapeConfig } from '../../src/config/config.ts';
import { readSettings } from '../../src/config/env.ts';
import { type EngineLimits, SERVER_LIMITS } from '../../src/foundation/engine-limits.ts';
import { startServer } from '../../src/server.ts';
import { afterFile } from './cleanup.ts';

/** Starts a server in this process, with other time limits than those of production. */
export async function startInProcess(settings: Record<string, string>, limits: EngineLimits = SERVER_LIMITS) {
  const { config, secrets } = shapeConfig(readSettings({}, { PORT: '0', ...settings }));
  const server = await startServer({ ...config, logLevel: 'silent' }, secrets, { limits });
  let stopping: Promise<void> | undefined;
  const stop = async () => {
    stopping ??= server.stop();
    await stopping;
  };
  afterFile(stop);
  return {
    url: server.url,
    stop,
    fetch: (path: string, init?: RequestInit) =>
      fetch(new URL(path, server.url), { redirect: 'manual', ...init }),
  };
}
