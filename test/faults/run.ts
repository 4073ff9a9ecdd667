import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { MINUTE, SECOND } from '../../src/kernel/clock.ts';
import { BACKENDS, type Backend, clusterSettings, type Endpoints } from '../harness/databases.ts';
import { startPeers } from '../harness/peers.ts';
import { killAll } from '../harness/process.ts';
import { bytesAreBounded } from './bounds.ts';
import { clocksDiffer } from './clocks.ts';
import { messagesSurvive } from './messages.ts';
import { outagesPass, pooledPass } from './recovery.ts';
import { createReport, type Extent } from './report.ts';
import { createSeeded } from './seeded.ts';
import { storageSurvives } from './storage.ts';

/*
 * Kills servers at random moments, makes their engines and peers fail, and counts lost data: `npm run test:faults`, or
 * a part of it with `npm run test:faults -- --seed 7 --backend sqlite+local --messages 200 --files 100 --kills 5 storage`
 * or `npm run test:faults -- --rounds 10 --hold 60 outages` (seconds), or `npm run test:faults -- --minutes 10 bounds`.
 * `--within 20` begins no further round of outages after 20 minutes, and `--untimed` accepts any time of responses.
 * The exit status is 0 only when nothing is lost.
 */

const FAULTS = {
  messages: messagesSurvive,
  storage: storageSurvives,
  clocks: clocksDiffer,
  outages: outagesPass,
  pooled: pooledPass,
  bounds: bytesAreBounded,
};
type Fault = keyof typeof FAULTS;

const { values, positionals } = parseArgs({
  args: process.argv.slice(2),
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: String(crypto.getRandomValues(new Uint32Array(1))[0]) },
    backend: { type: 'string', multiple: true, default: [...BACKENDS] },
    messages: { type: 'string', default: '1000' },
    files: { type: 'string', default: '600' },
    kills: { type: 'string', default: '20' },
    outage: { type: 'string', default: '' },
    rounds: { type: 'string', default: '1' },
    within: { type: 'string', default: 'Infinity' },
    untimed: { type: 'boolean', default: false },
    hold: { type: 'string', default: '15' },
    minutes: { type: 'string', default: '1' },
  },
});
const seed = Number(values.seed);
const extent: Extent = {
  messages: Number(values.messages),
  files: Number(values.files),
  kills: Number(values.kills),
  outage: values.outage,
  rounds: Number(values.rounds),
  withinMs: Number(values.within) * MINUTE,
  isTimed: !values.untimed,
  holdMs: Number(values.hold) * SECOND,
  minutes: Number(values.minutes),
};
const faults = (positionals.length > 0 ? positionals : Object.keys(FAULTS)).map(
  known<Fault>(Object.keys(FAULTS)),
);
const backends = values.backend.map(known<Backend>(BACKENDS));

function known<Name extends string>(names: readonly string[]): (name: string) => Name {
  return (name) => {
    if (!names.includes(name)) throw new Error(`“${name}” is not one of ${names.join(', ')}`);
    return name as Name;
  };
}

/** Returns whether nothing failed. */
async function run(fault: Fault, backend: Backend, endpoints: Endpoints): Promise<boolean> {
  const report = createReport(`${fault} on ${backend}`);
  const dataDir = mkdtempSync(join(tmpdir(), 'posthouse-faults-'));
  const started = Date.now();
  try {
    const more = backend === 'sqlite+local' ? {} : await clusterSettings(endpoints);
    const random = createSeeded(seed).fork(`${fault} ${backend}`);
    await FAULTS[fault]({ POSTHOUSE_DATA_DIR: dataDir, ...more }, random, extent, report);
  } catch (error) {
    report.expect(false, error instanceof Error ? (error.stack ?? error.message) : String(error));
  } finally {
    await killAll();
    rmSync(dataDir, { recursive: true, force: true });
  }
  const hasPassed = report.failures().length === 0;
  report.line(`${hasPassed ? 'passed' : 'FAILED'}, after ${Math.round((Date.now() - started) / SECOND)} s`);
  return hasPassed;
}

process.stdout.write(`seed ${seed}\n`);
const peers = await startPeers();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, async () => {
    await killAll();
    await peers.stop();
    process.exit(1);
  });
const results: boolean[] = [];
try {
  for (const backend of backends) for (const fault of faults) results.push(await run(fault, backend, peers));
} finally {
  await peers.stop();
}
const failed = results.filter((hasPassed) => !hasPassed).length;
process.stdout.write(`seed ${seed}\n${results.length - failed} passed, ${failed} failed\n`);
process.exit(failed === 0 ? 0 : 1);
