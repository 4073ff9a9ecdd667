import { addPerson } from '../harness/command.ts';
import { MULTIPART_TYPE, multipart } from '../harness/multipart.ts';
import { type EngineFault, makeBreakable } from './engine-faults.ts';
import { startWorld } from './kinds.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { judgeAll, newTallies, sendAll } from './messages.ts';
import { type Answer, type Mortal, startMortal } from './mortal.ts';
import type { Extent, Report } from './report.ts';
import type { Seeded } from './seeded.ts';
import { judge, sha256 } from './storage.ts';

const UPLOADERS = 4;
const PAUSE_MS = 100;
/** Time before each fault, in which everything works. */
const CALM_MS = 2_000;
/** The contract: an answer within 10 s, and well again within 10 s; more for a busy machine. */
const ANSWER_MS = 12_000;
const RECOVERY_MS = 12_000;
/** Time within which a server must recover. */
const PATIENCE_MS = 60_000;
const REFUSALS = [503, 507];

/** Answers during one fault. */
interface Observed {
  acknowledged: number;
  refused: number;
  slowestMs: number;
}

/**
 * Makes each engine and peer fail while files and messages are sent: the server must refuse in time, recover
 * soon after, and lose nothing that it acknowledged.
 */
export async function enginesRecover(
  settings: Record<string, string>,
  random: Seeded,
  { rounds, holdMs }: Extent,
  report: Report,
): Promise<void> {
  const world = await startWorld();
  const breakable = await makeBreakable({ ...world.settings, ...settings }, report.line);
  let isOver = false;
  try {
    const all = breakable.settings;
    const mortal = await startMortal({ settings: all, random: random.fork('kills') });
    const { headers } = await addPerson(all, 'ada@example.org');
    const tallies = newTallies(await world.kinds(all));
    const ledger = createLedger();
    const goesOn = () => !isOver;
    const watched = observe(mortal, report);
    const work = Promise.all([
      ...sendAll(tallies, { mortal: watched, random, goesOn, refusals: REFUSALS }),
      ...Array.from({ length: UPLOADERS }, (_, number) =>
        upload(`${number}`, { mortal: watched, headers, ledger, goesOn }, random.fork(`uploads ${number}`)),
      ),
    ]);
    // A failure is reported after the last fault.
    work.catch(() => {});
    report.line(row('fault', 'acknowledged', 'refused', 'slowest answer', 'well again after'));
    let healedAt = Date.now();
    for (let round = 0; round < rounds; round++)
      for (const fault of breakable.faults) {
        await Bun.sleep(CALM_MS);
        const observed = watched.begin(fault.name);
        const recoveryMs = await happen(fault, holdMs, () => isWell(mortal, headers));
        healedAt = Date.now();
        const { acknowledged, refused, slowestMs } = observed();
        const recovery = recoveryMs === null ? 'never' : seconds(recoveryMs);
        report.line(row(fault.name, `${acknowledged}`, `${refused}`, seconds(slowestMs), recovery));
        report.expect(
          recoveryMs !== null && recoveryMs <= RECOVERY_MS,
          `${fault.name}: well again after ${recovery}`,
        );
        report.expect(slowestMs <= ANSWER_MS, `${fault.name}: an answer took ${seconds(slowestMs)}`);
      }
    isOver = true;
    await work;
    await judgeAll(tallies, { ask: mortal.ask, readyAt: () => healedAt }, report);
    await judge({ mortal, headers, ledger, report }, all);
    await mortal.stop();
  } finally {
    isOver = true;
    await Promise.all([world.stop(), breakable.stop()]);
  }
}

/** Causes a fault; returns the time from its end to the recovery of the server in ms; null = no recovery. */
async function happen(
  { limitMs, begin, end }: EngineFault,
  holdMs: number,
  isWell: () => Promise<boolean>,
): Promise<number | null> {
  await begin();
  await Bun.sleep(Math.min(holdMs, limitMs ?? holdMs));
  await end();
  const ended = performance.now();
  while (performance.now() - ended < PATIENCE_MS) {
    if (await isWell()) return performance.now() - ended;
    await Bun.sleep(PAUSE_MS);
  }
  return null;
}

/** Reports whether the server is ready, reads and writes. */
async function isWell({ ask }: Mortal, headers: Record<string, string>): Promise<boolean> {
  const init = { method: 'POST', headers: { ...headers, 'Content-Type': 'application/json' } };
  const name = `folder ${crypto.randomUUID()}`;
  const answers = await Promise.all([
    ask('/readyz'),
    ask('/api/storage/files/root', { headers }),
    ask('/api/storage/folders', { ...init, body: JSON.stringify({ name }) }),
  ]);
  return answers.every((answer) => answer !== null && answer.status < 300);
}

/** Returns a server whose answers are counted, and which refuses as the contract says. */
function observe(mortal: Mortal, report: Report) {
  let current: Observed = { acknowledged: 0, refused: 0, slowestMs: 0 };
  let name = 'before the first fault';
  return {
    begin(fault: string) {
      name = fault;
      const observed = { acknowledged: 0, refused: 0, slowestMs: 0 };
      current = observed;
      return () => observed;
    },
    async ask(path: string, init?: RequestInit): Promise<Answer | null> {
      const observed = current;
      const started = performance.now();
      // A new connection each time: the server may close an idle one just when it is used again.
      const answer = await mortal.ask(path, { ...init, keepalive: false });
      observed.slowestMs = Math.max(observed.slowestMs, performance.now() - started);
      if (answer === null || answer.status < 300) observed.acknowledged++;
      else observed.refused++;
      const isExpected = answer !== null && (answer.status < 500 || REFUSALS.includes(answer.status));
      report.expect(isExpected, `${name}: ${path} was answered with ${answer?.status}`);
      report.expect(
        answer?.status !== 503 || answer.headers.has('Retry-After'),
        `${name}: 503 to ${path} without Retry-After`,
      );
      return answer;
    },
  };
}

interface Uploading {
  mortal: Pick<Mortal, 'ask'>;
  headers: Record<string, string>;
  ledger: Ledger;
  goesOn(): boolean;
}

async function upload(
  worker: string,
  { mortal, headers, ledger, goesOn }: Uploading,
  random: Seeded,
): Promise<void> {
  for (let number = 0; goesOn(); number++) {
    await Bun.sleep(random.between(0, 2 * PAUSE_MS));
    const name = `${worker}-${number}.bin`;
    const value = random.bytes(random.between(1, random.chance(0.1) ? 3_000_000 : 100_000));
    const hash = sha256(value);
    ledger.begin(name, hash);
    const type = 'application/octet-stream';
    const answer = await mortal.ask('/api/storage/files/root', {
      method: 'POST',
      headers: { ...headers, 'Content-Type': MULTIPART_TYPE },
      body: multipart([{ name: 'file', value, fileName: name, type }]),
    });
    if (answer?.status === 201) ledger.holds(name, hash);
  }
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

function row(...[fault = '', ...cells]: string[]): string {
  return `${fault.padEnd(22)}${cells.map((cell) => cell.padStart(17)).join('')}`;
}
