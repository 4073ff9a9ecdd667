import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addPerson } from '../test/harness/accounts.ts';
import { addMailClient } from '../test/harness/mail.ts';
import { startProcess } from '../test/harness/start.ts';
import { startEngines } from './lib/engines.ts';
import { EXPENSIVE, type ExpensiveKind, type Target } from './lib/expensive.ts';
import { insertTables } from './lib/insert.ts';
import { fillFolder } from './lib/many-files.ts';
import { fail, readOptions } from './lib/options.ts';
import { markdown } from './lib/pairs-table.ts';
import { after, delayAtRate, type Measured, probe } from './lib/probe.ts';
import { finish, print, record } from './lib/report.ts';
import { startSink } from './lib/sink.ts';
import { median } from './lib/statistics.ts';

/**
 * Measures the requests of one client with and without another one that repeats an expensive request without pause:
 * their number at full speed, then the delays of one request every 5 ms. `npm run bench -- isolation`, or a part with
 * `npm run bench -- isolation --seconds=4 --kind=thumbnail`; with `--postgres` on PostgreSQL and S3. The expensive
 * client is a separate process.
 */
const options = readOptions('isolation');
const SECONDS = options.seconds;
const KINDS = Object.keys(EXPENSIVE).filter((kind) => kind.includes(options.kind));
if (KINDS.length === 0) fail(`--kind must be part of one of ${Object.keys(EXPENSIVE).join('; ')}.`);
if (options.write && options.kind) fail('--write requires all kinds: omit --kind.');
const FILES = options.files;
const SECRETS = 40;
const TARGET = { p99: 50, throughput: 0.5 };
/** The expensive client may need a moment to prepare its request. */
const SETTLE_MS = 3_000;
/** Period of the requests whose delays are measured. */
const PERIOD_MS = 5;

const sink = await startSink();
const engines = await startEngines(options);
const directory = mkdtempSync(join(tmpdir(), 'posthouse-bench-'));
const settings = {
  POSTHOUSE_DATA_DIR: join(directory, 'data'),
  POSTHOUSE_LOG_LEVEL: 'error',
  POSTHOUSE_TRUSTED_PROXIES: '127.0.0.1',
  POSTHOUSE_WORKSPACE_BYTES: String(2 ** 40),
  ...sink.settings,
  ...(await engines.newSettings()),
};
const person = await addPerson(settings, 'bench@example.org');
const folder = await fillFolder({
  settings,
  headers: person.headers,
  count: FILES,
  bytes: new TextEncoder().encode('x'),
});
const posthouse = await startProcess(settings);
const client = await addMailClient(settings, 'bench', '--services', 'email');

async function publish(bytes: Uint8Array<ArrayBuffer>, fields: Record<string, string>): Promise<string> {
  const form = new FormData();
  form.set('file', new Blob([bytes]), 'file');
  for (const [name, value] of Object.entries({ visibility: '1', ...fields })) form.set(name, value);
  const url = '/api/storage/files/root';
  const made = await posthouse.fetch(url, { method: 'POST', headers: person.headers, body: form });
  const { Id: id } = (await made.json()) as { Id: string };
  const metadata = await posthouse.fetch(`/api/storage/files/${id}/metadata`, { headers: person.headers });
  return `/api/storage/public/media/${((await metadata.json()) as { directToken: string }).directToken}`;
}

async function measure(path: string): Promise<Measured> {
  const url = posthouse.url + path;
  const { perSecond } = await probe(url, after(SECONDS * 500));
  return { perSecond, p99: await delayAtRate(url, SECONDS * 500, PERIOD_MS) };
}

function startExpensive(kind: ExpensiveKind, target: Target) {
  return Bun.spawn(
    [process.execPath, join(import.meta.dir, 'lib/expensive-client.ts'), kind, JSON.stringify(target)],
    { stdout: 'pipe', stderr: 'inherit' },
  );
}

try {
  const small = await publish(crypto.getRandomValues(new Uint8Array(65_536)), {});
  const secrets: string[] = [];
  while (secrets.length < SECRETS)
    secrets.push(await publish(new TextEncoder().encode('x'), { filePassword: 'right' }));
  const target: Target = { url: posthouse.url, client, headers: person.headers, folder, secrets };
  const probes = ['/healthz', small];
  const row = (name: string, cells: readonly string[]) =>
    print(`${name.padEnd(48)}${cells.map((cell) => cell.padStart(16)).join('')}`);
  row('', ['healthz p99', 'throughput', '64 KB p99', 'throughput', 'expensive/s']);
  const rows: string[][] = [];
  for (const kind of KINDS as ExpensiveKind[]) {
    const cells: string[] = [];
    const figures: Record<string, object> = {};
    const before = [await measure(probes[0] ?? ''), await measure(probes[1] ?? '')];
    const expensive = startExpensive(kind, target);
    await Bun.sleep(SETTLE_MS);
    for (const [index, path] of probes.entries()) {
      const { p99, perSecond } = await measure(path);
      const ratio = perSecond / (before[index]?.perSecond ?? 1);
      figures[index === 0 ? 'healthz' : 'file'] = { p99, p99Before: before[index]?.p99, ratio };
      const missed = p99 > TARGET.p99 || ratio < TARGET.throughput ? ' !' : '';
      cells.push(`${p99.toFixed(1)} ms (${before[index]?.p99.toFixed(1)})`, `${ratio.toFixed(2)}${missed}`);
    }
    expensive.kill('SIGTERM');
    const rates = (await new Response(expensive.stdout).text()).trim().split('\n').map(Number);
    row(kind, [...cells, median(rates).toFixed(2)]);
    rows.push([kind, ...cells]);
    record(kind, { ...figures, expensivePerSecond: median(rates), target: TARGET });
  }
  print(
    `target: p99 ${TARGET.p99} ms, throughput ${TARGET.throughput}; in parentheses without the expensive client`,
  );
  const heads = ['Repeated meanwhile', '`/healthz`, p99', 'Ratio', '64 KB, p99', 'Ratio'];
  if (options.write) insertTables('isolation', markdown(heads, rows));
  finish('isolation');
} finally {
  await posthouse.stop();
  sink.stop();
  await engines.stop();
  rmSync(directory, { recursive: true, force: true });
}
