import { join } from 'node:path';
import { NODES_VARIABLE } from './harness/start.ts';

/*
 * Runs the black-box tests with three nodes over PostgreSQL and S3 for each server, behind a proxy that sends each
 * request to a different node than the one before: `npm run test:nodes`, or with paths as in `npm test`.
 */

const NODES = 3;

/** Test files that are left out, with the reason. All others run, so that a new file cannot be forgotten. */
const LEFT_OUT: Record<string, string> = {
  'access.test.ts': 'compares declarations, which all nodes share',
  'attacks-bodies.test.ts': 'measures the memory of one process',
  'chat-commands.test.ts': 'runs commands without a server',
  'clock-skew.test.ts': 'starts its own nodes',
  'command-line.test.ts': 'runs commands on SQLite',
  'config.test.ts': 'prints settings',
  'confinement.test.ts': 'starts servers on SQLite',
  'descriptors.test.ts': 'fills one process with connections',
  'engines.test.ts': 'starts servers in its own process, in front of engines that fail',
  'errors-doc.test.ts': 'compares documents',
  'events-nodes.test.ts': 'starts its own nodes',
  'german.test.ts': 'reads translations',
  'identity-commands.test.ts': 'runs commands without a server',
  'import-rules.test.ts': 'reads sources',
  'install.test.ts': 'installs packages',
  'metrics.test.ts': 'reads the metrics of one process',
  'old-data.test.ts': 'opens data directories',
  'old-team-data.test.ts': 'opens data directories',
  'overlapping-requests.test.ts': 'needs one connection for several requests, which the proxy does not keep',
  'processes.test.ts': 'starts several processes on one port',
  'query-plans-upkeep.test.ts': 'reads query plans',
  'query-plans.test.ts': 'reads query plans',
  'readme.test.ts': 'runs the commands of the documents on SQLite',
  'restart-limits.test.ts': 'empties the buckets of one process before it is killed',
  'rolling-update.test.ts': 'starts its own nodes',
  'start.test.ts': 'starts a clone',
  'statements.test.ts': 'counts the statements of a server in its own process',
  'storage-crash.test.ts': 'needs two connections in order, which the proxy does not keep',
  'storage-full.test.ts': 'fills the disk of one server',
  'storage-redirect.test.ts': 'starts a server on SQLite and S3, which nodes cannot share',
  'storage-search.test.ts': 'searches without a server',
  'storage-stopped-readers.test.ts': 'starts a server on SQLite and S3, which nodes cannot share',
  'texts.test.ts': 'reads texts',
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
  'an upload under way is refused at its end':
    'nodes do not check uploads again that take less than a second',
  'bytes on the wire': 'the proxy itself refuses requests that it cannot parse',
};

const others = `^(?!.*(?:${Object.keys(LEFT_OUT_TESTS).join('|')}))`;
const given = process.argv.slice(2);
const files = [...new Bun.Glob('*.test.ts').scanSync(import.meta.dir)];
const missing = Object.keys(LEFT_OUT).filter((name) => !files.includes(name));
if (missing.length > 0) throw new Error(`LEFT_OUT has files that do not exist: ${missing.join(', ')}`);
const paths = files.filter((name) => !(name in LEFT_OUT)).map((name) => `test/${name}`);
const tests = Bun.spawn(
  [process.execPath, join(import.meta.dir, 'run.ts'), '-t', others, ...(given.length > 0 ? given : paths)],
  { env: { ...process.env, [NODES_VARIABLE]: String(NODES) }, stdio: ['inherit', 'inherit', 'inherit'] },
);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => tests.kill(signal));
process.exit(await tests.exited);
