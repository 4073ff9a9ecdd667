import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
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
  holdMs: Number(values.hold) * 1_000,
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

async function run(fault: Fault, backend: Backend, endpoints: Endpoints): Promise<number> {
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
  report.line(
    `${report.failures().length === 0 ? 'passed' : 'FAILED'}, after ${Math.round((Date.now() - started) / 1000)} s`,
  );
  return report.failures().length;
}

process.stdout.write(`seed ${seed}\n`);
const peers = await startPeers();
let failures = 0;
try {
  for (const backend of backends) for (const fault of faults) failures += await run(fault, backend, peers);
} finally {
  await peers.stop();
}
process.stdout.write(`${failures} failures (seed ${seed})\n`);
process.exit(failures === 0 ? 0 : 1);
