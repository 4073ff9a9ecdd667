import { type Doubts, openDoubts } from './doubts.ts';
import { type Answer, jsonOf, type KilledServer, startKilledServer } from './killed-server.ts';
import { acknowledgedId, type Kind, startWorld, textOf } from './kinds.ts';
import type { Extent, Report } from './report.ts';
import type { Seeded } from './seeded.ts';

/** Time after the last restart, or the end of an outage, in which everything must arrive. */
export const RESUMES_WITHIN_MS = 60_000;
/** Time after which a missing message counts as lost, not as late. */
const PATIENCE_MS = 180_000;
/** Pause before a refused request is repeated. */
const REFUSED_PAUSE_MS = 500;
/** Average pause between two messages of one kind. */
const PACE_MS = 120;

/** Sent messages of one kind. */
interface Tally {
  /** Text of each acknowledged message, with its id. */
  acknowledged: Map<string, string>;
  waited: number;
  keyed: number;
  /** By sender, in the order of acknowledgement. */
  order: string[][];
}

/** Checks that messages of every kind arrive if a server that is killed repeatedly acknowledged them. */
export async function messagesSurvive(
  settings: Record<string, string>,
  random: Seeded,
  extent: Extent,
  report: Report,
): Promise<void> {
  const world = await startWorld();
  let doubts: Doubts | null = null;
  try {
    const all = { ...world.settings, ...settings };
    const server = await startKilledServer({
      settings: all,
      random: random.fork('kills'),
      killed: async () => await doubts?.add(),
    });
    const kinds = await world.kinds(all);
    doubts = await openDoubts(all, kinds);
    const tallies = newTallies(kinds);
    const shouldContinue = () =>
      server.kills() < extent.kills ||
      [...tallies.values()].some((each) => each.acknowledged.size < extent.messages);
    const sending = sendAll(tallies, { server, random, shouldContinue, refusals: [] });
    const acknowledged = () => [...tallies.values()].reduce((sum, each) => sum + each.acknowledged.size, 0);
    const steps = (extent.messages * tallies.size) / (extent.kills * 1.2);
    await Promise.all([server.killRepeatedly(shouldContinue, acknowledged, steps), ...sending]);
    report.line(`${server.kills()} kills`);
    await checkAll(tallies, server, report);
    doubts.check(server.kills(), report);
    await server.stop();
  } finally {
    await doubts?.close();
    await world.stop();
  }
}

/** Messages of all kinds; filled by `sendAll`. */
export type Tallies = ReadonlyMap<Kind, Tally>;

export function newTallies(kinds: readonly Kind[]): Tallies {
  return new Map(kinds.map((kind) => [kind, newTally(kind)]));
}

interface Sending {
  server: Pick<KilledServer, 'request'>;
  random: Seeded;
  shouldContinue(): boolean;
  /** Statuses that are expected instead of an acknowledgement. */
  refusals: readonly number[];
}

/** Starts the senders of all kinds. */
export function sendAll(tallies: Tallies, sending: Sending): Promise<void>[] {
  return [...tallies].flatMap(([kind, tally]) =>
    Array.from({ length: kind.senders }, (_, sender) =>
      send({ ...sending, kind, sender, tally, random: sending.random.fork(`${kind.name} ${sender}`) }),
    ),
  );
}

/** States of messages after an outage. */
interface Delivered {
  /** Texts of the messages that never arrived. */
  lost: string[];
  /** Number of messages that ended with an unknown outcome. They are removed from the tallies. */
  unknown: number;
  /** Time from the end of the outage until the others had arrived. */
  tookMs: number;
}

/** Waits until all messages that have been acknowledged so far have arrived. */
export async function untilDelivered(
  tallies: Tallies,
  server: Pick<KilledServer, 'request'>,
  healedAt: number,
): Promise<Delivered> {
  const pending = [...tallies].map(([kind, tally]) => {
    const texts = [...tally.acknowledged.keys()];
    return { kind, tally, texts };
  });
  let unknown = 0;
  for (;;) {
    for (const each of pending) {
      const arrived = new Set(each.kind.arrived());
      each.texts = each.texts.filter((text) => !arrived.has(text));
      if (each.kind.mayBeUnknown) unknown += await removeUnknown(each, server);
    }
    const lost = pending.flatMap(({ texts }) => texts);
    const tookMs = Date.now() - healedAt;
    if (lost.length === 0 || tookMs > PATIENCE_MS) return { lost, unknown, tookMs };
    await Bun.sleep(500);
  }
}

/** Removes messages that have ended as unknown, and returns their number. */
async function removeUnknown(
  each: { kind: Kind; tally: Tally; texts: string[] },
  server: Pick<KilledServer, 'request'>,
): Promise<number> {
  const before = each.texts.length;
  const left: string[] = [];
  for (const text of each.texts) {
    const state = await stateOf(each.kind, each.tally.acknowledged.get(text) ?? '', server);
    if (state === 'unknown') each.tally.acknowledged.delete(text);
    else left.push(text);
  }
  each.texts = left;
  return before - left.length;
}

/** Returns the number of messages that have arrived more than once. */
export function countDuplicates(tallies: Tallies): number {
  const counts = [...tallies.keys()].map((kind) => {
    const arrived = kind.arrived();
    return arrived.length - new Set(arrived).size;
  });
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Waits until everything that was acknowledged has arrived, and reports those missing and those repeated. */
export async function checkAll(
  tallies: Tallies,
  server: Pick<KilledServer, 'request' | 'readyAt'>,
  report: Report,
): Promise<void> {
  const ended = await untilArrived(tallies, server);
  for (const [kind, tally] of tallies) {
    // First, since a message whose outcome was lost with its server may be repeated until then.
    const states = await untilSettled(kind, tally, server);
    check(kind, tally, ended.get(kind) ?? null, report);
    report.expect(states === `${tally.acknowledged.size} sent`, `${kind.name}: the server says ${states}`);
  }
}

function newTally({ senders }: Kind): Tally {
  return { acknowledged: new Map(), waited: 0, keyed: 0, order: Array.from({ length: senders }, () => []) };
}

interface Sender extends Sending {
  kind: Kind;
  sender: number;
  tally: Tally;
}

async function send({
  kind,
  sender,
  tally,
  server,
  random,
  shouldContinue,
  refusals,
}: Sender): Promise<void> {
  const isRefused = (answer: Answer | null) => answer === null || refusals.includes(answer.status);
  for (let number = 0; shouldContinue(); number++) {
    await Bun.sleep(random.next() * 2 * PACE_MS * kind.senders);
    const text = textOf(kind.name, sender, number);
    const waits = random.chance(0.5);
    // With a key, the caller repeats the request until it has a response; without one, it must not.
    const keyed = random.chance(0.5);
    const { path, headers, body } = kind.request(sender, text);
    const init = {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        ...headers,
        ...(waits ? {} : { Prefer: 'respond-async' }),
        ...(keyed ? { 'Idempotency-Key': text } : {}),
      },
      body: JSON.stringify(body),
    };
    let answer = await server.request(path, init);
    const end = Date.now() + PATIENCE_MS;
    // A server that never recovers is reported as such, and must not keep the run from ending.
    while (isRefused(answer) && keyed && Date.now() < end) {
      await Bun.sleep(answer === null ? 0 : REFUSED_PAUSE_MS);
      answer = await server.request(path, init);
    }
    if (answer === null || isRefused(answer)) continue;
    tally.acknowledged.set(text, acknowledgedId(answer));
    tally.order[sender]?.push(text);
    if (waits) tally.waited++;
    if (keyed) tally.keyed++;
  }
}

/** Returns the time from `readyAt` until all acknowledged messages of a kind had arrived, without incomplete kinds. */
async function untilArrived(
  tallies: Tallies,
  server: Pick<KilledServer, 'readyAt'>,
): Promise<Map<Kind, number>> {
  const ended = new Map<Kind, number>();
  for (;;) {
    const since = Date.now() - server.readyAt();
    for (const [kind, { acknowledged }] of tallies) {
      if (ended.has(kind)) continue;
      const arrived = new Set(kind.arrived());
      if ([...acknowledged.keys()].every((text) => arrived.has(text))) ended.set(kind, since);
    }
    if (ended.size === tallies.size || since > PATIENCE_MS) return ended;
    await Bun.sleep(200);
  }
}

function check(
  kind: Kind,
  { acknowledged, waited, keyed, order }: Tally,
  endedMs: number | null,
  report: Report,
): void {
  const times = new Map<string, number>();
  for (const text of kind.arrived()) times.set(text, (times.get(text) ?? 0) + 1);
  const lost = [...acknowledged.keys()].filter((text) => !times.has(text));
  const duplicated = [...times].filter(([, count]) => count > 1);
  const unacknowledged = [...times.keys()].filter((text) => !acknowledged.has(text)).length;
  const share = duplicated.length / Math.max(1, acknowledged.size);
  report.line(
    `${kind.name}: ${acknowledged.size} acknowledged (${waited} waited for, ${keyed} with a key), ${lost.length} lost, ${duplicated.length} duplicated (${(share * 100).toFixed(2)} %), ` +
      `${unacknowledged} more arrived whose response was lost; the last ${endedMs === null ? 'never came' : `${(endedMs / 1000).toFixed(1)} s after the end`}`,
  );
  report.expect(lost.length === 0, `${kind.name}: lost ${lost.slice(0, 10).join(', ')}`);
  report.expect(
    !kind.deduplicates || duplicated.length === 0,
    `${kind.name}: ${duplicated.length} are duplicated`,
  );
  report.expect(
    endedMs !== null && endedMs <= RESUMES_WITHIN_MS,
    `${kind.name}: delivery did not resume within a minute`,
  );
  if (kind.keepsOrder) checkOrder(kind, order, report);
}

function checkOrder(kind: Kind, order: readonly string[][], report: Report): void {
  const place = new Map(kind.arrived().map((text, index) => [text, index]));
  for (const texts of order) {
    const places = texts.map((text) => place.get(text) ?? Number.POSITIVE_INFINITY);
    const wrong = texts.find((_, index) => index > 0 && (places[index] ?? 0) < (places[index - 1] ?? 0));
    report.expect(
      wrong === undefined,
      `${kind.name}: ${wrong} arrived before one that was acknowledged earlier`,
    );
  }
}

/** Waits until no acknowledged message is queued. Returns the number of messages in each status, as a sentence. */
async function untilSettled(
  kind: Kind,
  tally: Tally,
  server: Pick<KilledServer, 'request' | 'readyAt'>,
): Promise<string> {
  for (;;) {
    const states = await statesOf(kind, tally, server);
    if (!states.has('queued') || Date.now() - server.readyAt() > PATIENCE_MS)
      return [...states].map(([state, count]) => `${count} ${state}`).join(', ');
    await Bun.sleep(1_000);
  }
}

async function statesOf(
  kind: Kind,
  { acknowledged }: Tally,
  server: Pick<KilledServer, 'request'>,
): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const id of acknowledged.values()) {
    const state = await stateOf(kind, id, server);
    counts.set(state, (counts.get(state) ?? 0) + 1);
  }
  return counts;
}

async function stateOf(kind: Kind, id: string, server: Pick<KilledServer, 'request'>): Promise<string> {
  const { path, headers } = kind.state(id);
  const answer = await server.request(path, { headers });
  const { status, Status } = answer === null ? {} : jsonOf<{ status?: string; Status?: string }>(answer);
  return (status ?? Status ?? `status ${answer?.status}`).toLowerCase();
}
