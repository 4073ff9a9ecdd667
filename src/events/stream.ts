/** The body of a response with server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
export interface EventStream {
  readonly body: ReadableStream<Uint8Array>;
  /** Sends a frame, unless the same one waits already. Returns false when too many frames wait. */
  send(frame: string): boolean;
  /** Sends a comment. Returns false when the reader has not received the one before. */
  sendComment(): boolean;
  end(): void;
}

/** Maximum number of frames that wait for a slow reader. */
const MAX_WAITING = 256;
/** Reaches the client immediately, with the head of the response. */
const FIRST = ': open\n\n';
const COMMENT = ':\n\n';

const encoder = new TextEncoder();

/** @param left called when the client disconnects */
export function createEventStream(left: () => void): EventStream {
  const waiting = new Set([FIRST]);
  let wake = () => {};
  let isEnded = false;
  let isGone = false;

  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (waiting.size === 0 && !isEnded)
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        if (isGone) return;
        if (isEnded) return controller.close();
        controller.enqueue(encoder.encode([...waiting].join('')));
        waiting.clear();
      },
      cancel() {
        isGone = true;
        wake();
        left();
      },
    },
    // Nothing is read ahead, so a frame in `waiting` has not been sent.
    { highWaterMark: 0 },
  );

  function send(frame: string): boolean {
    if (waiting.size >= MAX_WAITING) return false;
    waiting.add(frame);
    wake();
    return true;
  }

  return {
    body,
    send,
    sendComment: () => !waiting.has(COMMENT) && send(COMMENT),
    end() {
      isEnded = true;
      wake();
    },
  };
}
