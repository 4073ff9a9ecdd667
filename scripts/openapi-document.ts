import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProcess } from '../test/harness/start.ts';

/** Prints the OpenAPI document of a server with default settings. */
const directory = await mkdtemp(join(tmpdir(), 'posthouse-openapi-'));
const posthouse = await startProcess({
  POSTHOUSE_DATA_DIR: directory,
  POSTHOUSE_PUBLIC_URL: 'https://posthouse.example.org',
});
process.stdout.write(`${JSON.stringify(await (await posthouse.fetch('/openapi.json')).json(), null, 2)}\n`);
await posthouse.stop();
await rm(directory, { recursive: true });
