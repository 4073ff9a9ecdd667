import { SECOND } from '../kernel/clock.ts';
import { repeat } from '../kernel/event-loop/repeat.ts';
import type { EventData, Events, LiveEvent, Topic, Watcher } from '../kernel/events.ts';
import type { SharedSlots } from '../kernel/limits/shared-slots.ts';
import type { Log } from '../kernel/log.ts';
import type { Metrics } from '../kernel/metrics/metrics.ts';
import { Problem, tooMany } from '../kernel/problem.ts';
import { createOpenStreams } from './open-streams.ts';
import { createEventStream } from './stream.ts';

/** Returns the roles of the sessions and tokens among `ids` that are valid now, by id. */
export type RolesOf = (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;

/** The open event streams of this node. */
export interface Streams {
  /** Returns the body of a response. @throws Problem 429 `rate_limited`, 503 `unavailable` */
  open(watcher: Watcher): Promise<ReadableStream<Uint8Array>>;
  /** Ends all streams and opens no more. */
  stop(): void;
}

interface StreamsDeps {
  events: Events;
  topics: readonly Topic[];
  rolesOf: readonly RolesOf[];
  /** Limits the streams of each owner. */
  slots: SharedSlots;
  log: Log;
  metrics: Metrics;
}

/** Half of the time within which a stream must end after its session. */
const CHECK_MS = SECOND / 2;
/** Proxies close connections without traffic, many of them after a minute. */
const COMMENT_MS = 20 * SECOND;
/** Maximum number of events that wait for delivery. */
const MAX_ARRIVED = 1_000;
const RETRY_MS = 5 * SECOND;

export function createStreams({ events, topics, rolesOf, slots, log, metrics }: StreamsDeps): Streams {
  const open = createOpenStreams(log, metrics);
  let isStopped = false;

  /** Ends the streams of sessions and tokens that have ended, or have another role. */
  async function check(): Promise<void> {
    const watchers = open.watchers();
    if (watchers.length === 0) return;
    const ids = watchers.map(({ credentialId }) => credentialId);
    const found = await Promise.all(rolesOf.map((find) => find(ids)));
    for (const watcher of watchers) {
      const { credentialId, role } = watcher;
      if (!found.some((roles) => roles.get(credentialId) === role)) open.end(watcher, 'no access');
    }
  }

  async function deliver(batch: readonly LiveEvent[]): Promise<void> {
    for (const { name, audience } of topics) {
      const own = batch.filter(({ topic }) => topic === name).map(({ data }) => data);
      if (own.length === 0) continue;
      const readers = await audience(own, open.watchers());
      own.forEach((data, index) => {
        const frame = frameOf(name, data);
        for (const watcher of readers[index] ?? []) open.send(watcher, frame);
      });
    }
  }

  const failed = (error: unknown) => {
    if (open.size() > 0) log.warn({ error }, 'event streams ended');
    open.endAll('gap');
  };
  const arrived = createBatches(deliver, failed);
  const unlisten = [
    events.onGap(() => open.endAll('gap')),
    events.listen((event) => {
      if (open.size() > 0 && !arrived.add(event)) open.endAll('gap');
    }),
  ];
  const endChecks = repeat(CHECK_MS, () => check().catch(failed));
  const comments = setInterval(open.sendComments, COMMENT_MS);

  return {
    async open(watcher) {
      const { owner } = watcher;
      if (isStopped || !open.hasRoomFor(owner.id)) throw noMore();
      open.probe(owner.id);
      const release = await slots.take(owner.id, owner.streams);
      if (!release) throw tooMany('rate_limited', 'There are too many open event streams.', RETRY_MS);
      // A stream that opens after `stop` would keep the server from stopping.
      if (isStopped || !open.makeRoomFor(owner.id)) {
        await release();
        throw noMore();
      }
      const stream = createEventStream(() => open.end(watcher, 'left'));
      open.add(watcher, { stream, release });
      return stream.body;
    },
    stop() {
      isStopped = true;
      for (const stop of unlisten) stop();
      endChecks();
      clearInterval(comments);
      open.endAll('stopped');
    },
  };
}

const noMore = () =>
  new Problem('unavailable', 'The server cannot open more event streams.', { retryAfterMs: RETRY_MS });

function frameOf(topic: string, data: EventData): string {
  return `event: ${topic}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** Collects events while a batch of earlier ones is delivered. */
function createBatches(
  deliver: (batch: readonly LiveEvent[]) => Promise<void>,
  failed: (error: unknown) => void,
) {
  let waiting: LiveEvent[] = [];
  let isRunning = false;

  async function run(): Promise<void> {
    isRunning = true;
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      await deliver(batch).catch(failed);
    }
    isRunning = false;
  }

  return {
    /** Returns false when too many events wait. */
    add(event: LiveEvent): boolean {
      if (waiting.length >= MAX_ARRIVED) return false;
      waiting.push(event);
      if (!isRunning) void run();
      return true;
    },
  };
}
