import { join } from 'node:path';
import { startPeers } from './harness/peers.ts';

/** Runs every test, or those whose files the arguments name, beside one PostgreSQL and one S3 server. */
const peers = await startPeers();
let passed = 0;
let failed = 0;
const tests = Bun.spawn([process.execPath, 'test', '--parallel=2', '--timeout=60000', ...process.argv.slice(2)], {
  cwd: join(import.meta.dir, '..'),
  env: { ...process.env, POSTHOUSE_TEST_POSTGRES: peers.postgresUrl, POSTHOUSE_TEST_S3: peers.s3Endpoint },
  stdin: 'ignore',
  stdout: 'inherit',
  stderr: 'pipe',
});
const decoder = new TextDecoder();
let tail = '';
for await (const chunk of tests.stderr) {
  process.stderr.write(chunk);
  tail = (tail + decoder.decode(chunk, { stream: true })).slice(-2_000);
}
const status = await tests.exited;
await peers.stop();
passed = Number(/^\s*(\d+) pass$/m.exec(tail)?.[1] ?? 0);
failed = Number(/^\s*(\d+) fail$/m.exec(tail)?.[1] ?? 0);
if (status !== 0 && failed === 0) failed = 1;
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exit(status === 0 && passed > 0 ? 0 : 1);
