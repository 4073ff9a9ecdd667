import { GAP, type Signals } from './database/signals.ts';

/** Ids of the changed objects. */
export type EventData = Readonly<Record<string, string | null>>;

/** Announces a change. It carries ids only, so that each reader loads only what it may see. */
export interface LiveEvent {
  /** Name of its `Topic`. */
  topic: string;
  data: EventData;
}

/** A caller that reads events. */
export interface Watcher {
  /** Id of its session or token. */
  readonly credentialId: string;
  /** Id of its account, or of its token if that has no account. */
  readonly memberId: string;
  /** Role of the caller. A change of it ends the stream. */
  readonly role: string;
  /** Id of the account or other owner whose streams are counted, and how many there may be. */
  readonly owner: { readonly id: string; readonly streams: number };
}

/** A kind of events. */
export interface Topic {
  name: string;
  /** Returns, for each event, the watchers that may see it now. */
  audience(
    events: readonly EventData[],
    watchers: readonly Watcher[],
  ): Promise<readonly (readonly Watcher[])[]>;
}

/** Live events of all nodes. One may be lost with the node that publishes it. */
export interface Events {
  /** Call after the commit. Repeats within 200 ms are published as one event. */
  publish(event: LiveEvent): void;
  /** Calls `listener` with each event of any node. */
  listen(listener: (event: LiveEvent) => void): () => void;
  /** Calls `listener` when events may have been lost. */
  onGap(listener: () => void): () => void;
  /** Publishes the waiting repeats. */
  flush(): void;
}

const CHANNEL = 'event';
/** Minimum time between two equal events. */
const REPEAT_MS = 200;
/** Maximum number of events whose repeats are collected. */
const MAX_RECENT = 10_000;

export function createEvents(signals: Signals): Events {
  /** Events of the last `REPEAT_MS`, and whether each was repeated. */
  const recent = new Map<string, boolean>();

  function send(payload: string): void {
    signals.emit(CHANNEL, payload);
    if (recent.size >= MAX_RECENT) return;
    recent.set(payload, false);
    setTimeout(() => {
      const isRepeated = recent.get(payload);
      recent.delete(payload);
      if (isRepeated) send(payload);
    }, REPEAT_MS);
  }

  return {
    publish(event) {
      const payload = JSON.stringify(event);
      if (recent.has(payload)) recent.set(payload, true);
      else send(payload);
    },
    listen: (listener) => signals.listen(CHANNEL, (payload) => listener(JSON.parse(payload) as LiveEvent)),
    onGap: (listener) => signals.listen(GAP, listener),
    flush() {
      for (const [payload, isRepeated] of recent) {
        if (isRepeated) signals.emit(CHANNEL, payload);
        recent.set(payload, false);
      }
    },
  };
}
