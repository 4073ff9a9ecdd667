import type { Posthouse } from './process.ts';

interface Event {
  name: string;
  data: Record<string, string | null>;
}

/** A stream of events. Close it before its server stops. */
export interface EventReader {
  status: number;
  headers: Headers;
  /** Returns the next event that fits, after the last one returned. Waits until the time limit of the test. */
  next(fits: (event: Event) => boolean): Promise<Event>;
  /** The events so far. */
  received: Event[];
  /** Resolves when the server ends the stream. */
  ended: Promise<void>;
  close(): void;
}

/** Opens a stream of events. */
export async function readEvents(
  { fetch }: Pick<Posthouse, 'fetch'>,
  headers: Record<string, string>,
): Promise<EventReader> {
  const abort = new AbortController();
  const answer = await fetch('/api/events', { headers, signal: abort.signal });
  const received: Event[] = [];
  let position = 0;
  let arrived = Promise.withResolvers<void>();

  async function read(): Promise<void> {
    const decoder = new TextDecoder();
    let text = '';
    for await (const chunk of answer.body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      const frames = text.split('\n\n');
      text = frames.pop() ?? '';
      received.push(...frames.flatMap(eventOf));
      const { resolve } = arrived;
      arrived = Promise.withResolvers();
      resolve();
    }
  }
  const ended = answer.status === 200 ? read().catch(() => {}) : Promise.resolve();

  return {
    status: answer.status,
    headers: answer.headers,
    received,
    async next(fits) {
      for (;;) {
        const event = received[position];
        if (!event) await arrived.promise;
        else {
          position++;
          if (fits(event)) return event;
        }
      }
    },
    ended,
    close: () => abort.abort(),
  };
}

/** Returns the event of a frame; none for a comment. */
function eventOf(frame: string): Event[] {
  const match = /^event: (\w+)\ndata: (.+)$/.exec(frame);
  return match ? [{ name: match[1] ?? '', data: JSON.parse(match[2] ?? '') }] : [];
}
