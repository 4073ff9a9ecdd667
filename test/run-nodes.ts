import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NODES_VARIABLE } from './harness/start.ts';

/*
 * Runs the black-box tests with three nodes over PostgreSQL and S3 for each server, behind a proxy that sends each
 * request to a different node than the one before: `npm run test:nodes`, or with paths as in `npm test`.
 */

const NODES = 3;

/** Test files that are left out, with the reason. */
const LEFT_OUT: Record<string, string> = {
  'restart-limits.test.ts': 'empties the buckets of one process before it is killed',
  'access.test.ts': 'compares declarations, which all nodes share',
  'clock-skew.test.ts': 'starts its own nodes',
  'command-line.test.ts': 'runs commands on SQLite',
  'config.test.ts': 'prints settings',
  'errors-doc.test.ts': 'compares documents',
  'events-nodes.test.ts': 'starts its own nodes',
  'import-rules.test.ts': 'reads sources',
  'install.test.ts': 'installs packages',
  'metrics.test.ts': 'reads the metrics of one process',
  'old-data.test.ts': 'opens data directories',
  'query-plans.test.ts': 'reads query plans',
  'readme.test.ts': 'runs the commands of the documents on SQLite',
  'rolling-update.test.ts': 'starts its own nodes',
  'start.test.ts': 'starts a clone',
  'storage-crash.test.ts': 'needs two connections in order, which the proxy does not keep',
};

/** Tests that are left out, mostly of state that each node keeps for itself, by name, with the reason. */
const LEFT_OUT_TESTS: Record<string, string> = {
  'the limit of an address applies before any lookup': 'each node counts addresses, to protect itself',
  'an address may (?:begin|request|send) a number of': 'each node counts the requests of an address',
  'receive its size once, if their length is': 'each node counts the credits of uploads in one request',
  'uploads of unknown length that wait do not occupy more': 'each node counts the bytes that it receives',
  'limits apply, are reported, and end on their own': 'each node spreads its own messages over a second',
  'POST /requestemail is refused with rate_limited': 'each node counts the bytes that it receives',
  'wrong passwords are checked no more often than':
    'each other node may check one more correct password, since it counts wrong ones only after checking them',
  'finishes an upload that is interrupted twice': 'a node may lose the last part of an interrupted request',
  'lists, uploads over a connection that breaks': 'a node may lose the last part of an interrupted request',
  'caches the result by channel': 'each node has a cache',
  'limits are respected in advance':
    'each node keeps the limits of Telegram, which answers 429 when all together exceed them',
  'others wait until the server responds': 'each node finds out by itself whether Telegram responds',
  'a refusal of all mails at': 'each node finds out by itself that a mail server refuses its account',
  'hanging servers of callers leave connections': 'each node has its own connections to mail servers',
  'a server counts its streams': 'each node counts its own',
  'connections are reused': 'each node has its own connections to a mail server',
  'bytes on the wire': 'the proxy itself refuses requests that it cannot parse',
};

const others = `^(?!.*(?:${Object.keys(LEFT_OUT_TESTS).join('|')}))`;
const given = process.argv.slice(2);
/** Reports whether a file starts servers over PostgreSQL and S3. The others would run as in `npm test`. */
function usesNodes(name: string): boolean {
  const text = readFileSync(join(import.meta.dir, name), 'utf8');
  return (
    /BACKENDS?\b|postgres\+s3|freshSettings\(\)/.test(text) &&
    /startPosthouse|startProcess|inboxLinks/.test(text)
  );
}
const paths = [...new Bun.Glob('*.test.ts').scanSync(import.meta.dir)].filter(
  (name) => !(name in LEFT_OUT) && usesNodes(name),
);
const tests = Bun.spawn(
  [
    process.execPath,
    join(import.meta.dir, 'run.ts'),
    '-t',
    others,
    ...(given.length > 0 ? given : paths.map((name) => `test/${name}`)),
  ],
  { env: { ...process.env, [NODES_VARIABLE]: String(NODES) }, stdio: ['inherit', 'inherit', 'inherit'] },
);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => tests.kill(signal));
process.exit(await tests.exited);
