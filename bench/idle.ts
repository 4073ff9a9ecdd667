import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { shapeConfig } from '../src/config/config.ts';
import { readSettings } from '../src/config/env.ts';
import { startServer } from '../src/server.ts';
import { BACKENDS, type Backend, clusterSettings } from '../test/harness/databases.ts';
import { startPeers } from '../test/harness/peers.ts';
import { watchStatements } from '../test/harness/statements.ts';
import { readOptions } from './lib/options.ts';
import { finish, print, record } from './lib/report.ts';

/**
 * Counts the statements that a server without requests runs in a minute: `npm run bench -- idle`; `--each` lists them.
 */
const options = readOptions('idle');
const SETTLE_MS = 20_000;

const counts = new Map<string, number>();
watchStatements(({ text }) => counts.set(text, (counts.get(text) ?? 0) + 1));

async function measure(backend: Backend): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'posthouse-bench-'));
  const peers = backend === 'sqlite+local' ? null : await startPeers();
  const engines = peers ? await clusterSettings(peers) : {};
  const settings = { PORT: '0', POSTHOUSE_LOG_LEVEL: 'error', POSTHOUSE_DATA_DIR: directory, ...engines };
  const { config, secrets } = shapeConfig(readSettings({}, settings));
  const server = await startServer(config, secrets);
  await Bun.sleep(SETTLE_MS);
  counts.clear();
  await Bun.sleep(options.seconds * 1_000);
  const sorted = [...counts].sort(([, one], [, other]) => other - one);
  const total = sorted.reduce((sum, [, times]) => sum + times, 0);
  print(`${backend}: ${Math.round((total * 60) / options.seconds)} statements a minute`);
  record(backend, { seconds: options.seconds, statements: total, ...(options.each && { each: sorted }) });
  if (options.each)
    for (const [text, times] of sorted) print(`${String(times).padStart(6)}  ${text.slice(0, 200)}`);
  await server.stop();
  await peers?.stop();
  rmSync(directory, { recursive: true, force: true });
}

for (const backend of BACKENDS) await measure(backend);
finish('idle');
process.exit(0);
