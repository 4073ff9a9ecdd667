const NAMES = ['files', 'messages'] as const;

/** An event from the server, with the IDs of the changed resources. */
export interface LiveEvent {
  name: (typeof NAMES)[number];
  data: Readonly<Record<string, string | null>>;
}

/** Receives the events of a stream. */
export interface Receiver {
  /** A stream was opened. It does not report earlier changes. */
  opened(): void;
  received(event: LiveEvent): void;
  /** The stream has ended; another one follows. */
  lost(): void;
}

const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 30_000;

/** Reads the events of the server, and reconnects when the stream ends. Returns a function that disconnects. */
export function connectEvents({ opened, received, lost }: Receiver): () => void {
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let pause = FIRST_PAUSE_MS;

  function connect(): void {
    source = new EventSource('/api/events');
    source.onopen = () => {
      pause = FIRST_PAUSE_MS;
      opened();
    };
    for (const name of NAMES)
      source.addEventListener(name, ({ data }: MessageEvent<string>) =>
        received({ name, data: JSON.parse(data) as LiveEvent['data'] }),
      );
    source.onerror = () => {
      source?.close();
      // A random pause, so that browsers do not all reconnect at once after a restart of the server.
      timer = setTimeout(connect, pause * (0.5 + Math.random()));
      pause = Math.min(pause * 2, MAX_PAUSE_MS);
      lost();
    };
  }

  connect();
  return () => {
    clearTimeout(timer);
    source?.close();
  };
}
