import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addPerson } from '../test/harness/accounts.ts';
import { startProcess } from '../test/harness/start.ts';
import { readOptions } from './lib/options.ts';
import { MEGAPIXELS, photograph } from './lib/photograph.ts';
import { after, probe } from './lib/probe.ts';
import { finish, print, record } from './lib/report.ts';

/**
 * Uploads photographs of twelve megapixels, and measures how many a second are rendered and how long the requests of
 * another client take meanwhile and before: `npm run bench -- previews`.
 */
const { photographs: PHOTOGRAPHS } = readOptions('previews');
const TARGET = 8;
const QUIET_MS = 5_000;
/** Pause of the other client, which would otherwise occupy the cores: it has the higher priority. */
const PAUSE_MS = 10;

const directory = mkdtempSync(join(tmpdir(), 'posthouse-bench-'));
const settings = {
  POSTHOUSE_DATA_DIR: join(directory, 'data'),
  POSTHOUSE_LOG_LEVEL: 'error',
  POSTHOUSE_WORKSPACE_BYTES: String(2 ** 40),
};
const person = await addPerson(settings, 'bench@example.org');
const posthouse = await startProcess(settings);

async function upload(bytes: Buffer): Promise<void> {
  const body = new FormData();
  body.set('file', new Blob([Uint8Array.from(bytes)]), 'photograph.jpg');
  const url = '/api/storage/files/root';
  const answer = await posthouse.fetch(url, { method: 'POST', headers: person.headers, body });
  if (answer.status !== 201) throw new Error(`an upload was answered with status ${answer.status}`);
  await answer.arrayBuffer();
}

/** Returns the number of pictures that are still to be rendered. */
async function pending(): Promise<number> {
  const text = await (await posthouse.fetch('/metrics')).text();
  return Number(/^posthouse_storage_pictures_pending (\d+)/m.exec(text)?.[1]);
}

try {
  const health = `${posthouse.url}/healthz`;
  const quiet = await probe(health, after(QUIET_MS), PAUSE_MS);
  const bytes = await photograph();
  for (let count = 0; count < PHOTOGRAPHS; count++) await upload(bytes);
  const waiting = await pending();
  const started = performance.now();
  let isOver = false;
  const measuring = probe(health, () => isOver, PAUSE_MS);
  while ((await pending()) > 0) await Bun.sleep(200);
  const seconds = (performance.now() - started) / 1_000;
  isOver = true;
  const busy = await measuring;
  const size = (bytes.length / 1e6).toFixed(1);
  print(`${waiting} photographs of ${size} MB and ${MEGAPIXELS} megapixels`);
  print(`  rendered ${(waiting / seconds).toFixed(1)} a second, target ${TARGET}`);
  print(`  /healthz meanwhile p99 ${busy.p99.toFixed(1)} ms, before ${quiet.p99.toFixed(1)} ms`);
  record('photographs', { count: waiting, perSecond: waiting / seconds, target: TARGET, busy, quiet });
  finish('previews');
} finally {
  await posthouse.stop();
  rmSync(directory, { recursive: true, force: true });
}
