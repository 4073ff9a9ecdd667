import { SECOND } from '../kernel/clock.ts';
import type { EventData, Events, LiveEvent, Topic, Watcher } from '../kernel/events.ts';
import type { SharedSlots } from '../kernel/limits/shared-slots.ts';
import { describeError, type Log } from '../kernel/log.ts';
import type { Metrics } from '../kernel/metrics.ts';
import { Problem, tooMany } from '../kernel/problem.ts';
import { createEventStream, type EventStream } from './stream.ts';

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
  /** Streams of each account. */
  slots: SharedSlots;
  log: Log;
  metrics: Metrics;
}

/** Twice as often as a stream must end after its session. */
const CHECK_MS = SECOND / 2;
/** Proxies close connections without traffic, many of them after a minute. */
const COMMENT_MS = 20 * SECOND;
const MAX_STREAMS = 2_000;
/** Maximum number of events that wait for delivery. */
const MAX_ARRIVED = 1_000;
const RETRY_MS = 5 * SECOND;

const REASONS = ['left', 'no access', 'slow', 'gap', 'stopped'] as const;
type Reason = (typeof REASONS)[number];

export function createStreams({ events, topics, rolesOf, slots, log, metrics }: StreamsDeps): Streams {
  const open = new Map<Watcher, { stream: EventStream; release(): Promise<void> }>();
  let isStopped = false;
  metrics.gauge('posthouse_event_streams', 'Open event streams', [], (gauge) => gauge.set(open.size));
  const ended = metrics.counter('posthouse_event_streams_ended_total', 'Ended event streams', ['reason']);
  for (const reason of REASONS) ended.inc({ reason }, 0);

  function end(watcher: Watcher, reason: Reason): void {
    const entry = open.get(watcher);
    if (!entry) return;
    open.delete(watcher);
    ended.inc({ reason });
    entry.stream.end();
    entry
      .release()
      .catch((error) => log.warn({ error: describeError(error) }, 'an event stream keeps its slot'));
  }
  /** Clients then read again what may have changed. */
  function endAll(reason: Reason): void {
    for (const watcher of [...open.keys()]) end(watcher, reason);
  }

  function sendTo(watcher: Watcher, frame: string): void {
    if (open.get(watcher)?.stream.send(frame) === false) end(watcher, 'slow');
  }

  /**
   * Sends a comment to the open streams of a member. A client that has closed its connection, such as a page that was
   * loaded again, is noticed only by an answer to what it is sent.
   */
  function probe(memberId: string): void {
    for (const [watcher, { stream }] of open) if (watcher.memberId === memberId) stream.sendComment();
  }

  /** Ends the streams of sessions and tokens that have ended, or have another role. */
  async function check(): Promise<void> {
    const watchers = [...open.keys()];
    if (watchers.length === 0) return;
    const ids = watchers.map(({ credentialId }) => credentialId);
    const found = await Promise.all(rolesOf.map((find) => find(ids)));
    for (const watcher of watchers) {
      const { credentialId, role } = watcher;
      if (!found.some((roles) => roles.get(credentialId) === role)) end(watcher, 'no access');
    }
  }

  async function deliver(batch: readonly LiveEvent[]): Promise<void> {
    for (const { name, audience } of topics) {
      const own = batch.filter(({ topic }) => topic === name).map(({ data }) => data);
      if (own.length === 0) continue;
      const readers = await audience(own, [...open.keys()]);
      own.forEach((data, index) => {
        const frame = frameOf(name, data);
        for (const watcher of readers[index] ?? []) sendTo(watcher, frame);
      });
    }
  }

  const failed = (error: unknown) => {
    if (open.size > 0) log.warn({ error: describeError(error) }, 'event streams ended');
    endAll('gap');
  };
  const arrived = createBatches(deliver, failed);
  const unlisten = [
    events.onGap(() => endAll('gap')),
    events.listen((event) => {
      if (open.size > 0 && !arrived.add(event)) endAll('gap');
    }),
  ];
  const checks = repeat(CHECK_MS, () => check().catch(failed));
  const comments = setInterval(() => {
    for (const [watcher, { stream }] of [...open]) if (!stream.sendComment()) end(watcher, 'slow');
  }, COMMENT_MS);

  return {
    async open(watcher) {
      if (isStopped || open.size >= MAX_STREAMS) throw noMore();
      probe(watcher.memberId);
      const release = await slots.take(watcher.memberId);
      if (!release) throw tooMany('rate_limited', 'This account has too many open event streams.', RETRY_MS);
      // A stream that opens after `stop` would keep the server from stopping.
      if (isStopped) {
        await release();
        throw noMore();
      }
      const stream = createEventStream(() => end(watcher, 'left'));
      open.set(watcher, { stream, release });
      return stream.body;
    },
    stop() {
      isStopped = true;
      for (const stop of unlisten) stop();
      checks.stop();
      clearInterval(comments);
      endAll('stopped');
    },
  };
}

const noMore = () =>
  new Problem('unavailable', 'The server opens no more event streams.', { retryAfterMs: RETRY_MS });

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

/** Calls `work` every `ms`, never twice at once. */
function repeat(ms: number, work: () => Promise<void>) {
  let isRunning = false;
  const timer = setInterval(() => {
    if (isRunning) return;
    isRunning = true;
    void work().finally(() => {
      isRunning = false;
    });
  }, ms);
  return { stop: () => clearInterval(timer) };
}
