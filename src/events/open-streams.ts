import type { Watcher } from '../kernel/events.ts';
import type { Log } from '../kernel/log.ts';
import type { Metrics } from '../kernel/metrics/metrics.ts';
import type { EventStream } from './stream.ts';

const REASONS = ['left', 'no access', 'slow', 'gap', 'replaced', 'stopped'] as const;
type Reason = (typeof REASONS)[number];

const MAX_STREAMS = 2_000;

interface OpenStream {
  stream: EventStream;
  /** Frees the slot of the stream. */
  release(): Promise<void>;
}

/** The open streams, by their watchers. */
export interface OpenStreams {
  size(): number;
  watchers(): Watcher[];
  /** Reports whether an owner may open one more stream: when there are too many, only if another one has more. */
  hasRoomFor(ownerId: string): boolean;
  /** Like `hasRoomFor`, and ends the newest stream of the owner with the most when there are too many. */
  makeRoomFor(ownerId: string): boolean;
  add(watcher: Watcher, open: OpenStream): void;
  /** Sends a frame; ends a stream whose reader is too slow. */
  send(watcher: Watcher, frame: string): void;
  /** Sends a comment to all; ends the streams whose readers are too slow. */
  sendComments(): void;
  /**
   * Sends a comment to the open streams of an owner. A closed connection, such as that of a page that was reloaded, is
   * detected only when something is sent to it.
   */
  probe(ownerId: string): void;
  end(watcher: Watcher, reason: Reason): void;
  /** Ends all streams. Clients then read again what may have changed. */
  endAll(reason: Reason): void;
}

export function createOpenStreams(log: Log, metrics: Metrics): OpenStreams {
  const open = new Map<Watcher, OpenStream>();
  metrics.gauge('posthouse_event_streams', 'Open event streams', [], (gauge) => gauge.set(open.size));
  const ended = metrics.counter('posthouse_event_streams_ended_total', 'Ended event streams', ['reason']);
  for (const reason of REASONS) ended.inc({ reason }, 0);

  function end(watcher: Watcher, reason: Reason): void {
    const entry = open.get(watcher);
    if (!entry) return;
    open.delete(watcher);
    ended.inc({ reason });
    entry.stream.end();
    entry.release().catch((error) => log.warn({ error }, 'the slot of an event stream could not be freed'));
  }

  /** Returns the streams of the owner with the most, oldest first, if they would be more than those of `ownerId`. */
  function largestShare(ownerId: string): readonly Watcher[] | null {
    const owners = Map.groupBy(open.keys(), ({ owner }) => owner.id);
    const largest = [...owners.values()].reduce((most, own) => (own.length > most.length ? own : most), []);
    return largest.length > (owners.get(ownerId)?.length ?? 0) + 1 ? largest : null;
  }

  return {
    size: () => open.size,
    watchers: () => [...open.keys()],
    hasRoomFor: (ownerId) => open.size < MAX_STREAMS || largestShare(ownerId) !== null,
    makeRoomFor(ownerId) {
      if (open.size < MAX_STREAMS) return true;
      const newest = largestShare(ownerId)?.at(-1);
      if (!newest) return false;
      end(newest, 'replaced');
      return true;
    },
    add: (watcher, entry) => void open.set(watcher, entry),
    send(watcher, frame) {
      if (open.get(watcher)?.stream.send(frame) === false) end(watcher, 'slow');
    },
    sendComments() {
      for (const [watcher, { stream }] of [...open]) if (!stream.sendComment()) end(watcher, 'slow');
    },
    probe(ownerId) {
      for (const [watcher, { stream }] of open) if (watcher.owner.id === ownerId) stream.sendComment();
    },
    end,
    endAll(reason) {
      for (const watcher of [...open.keys()]) end(watcher, reason);
    },
  };
}
