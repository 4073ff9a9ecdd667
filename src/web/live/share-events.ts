import { connectEvents, type LiveEvent, type Receiver } from './event-source.ts';

type Message = { type: 'opened' | 'lost' } | { type: 'received'; event: LiveEvent };

/**
 * Reads the events of the server in one tab of the browser, which passes them to the others; when it closes, another
 * tab takes over. Without locks (plain HTTP), each visible tab reads them itself.
 * @returns a function that stops reading
 */
export function shareEvents(accountId: string, receiver: Receiver): () => void {
  return 'locks' in navigator
    ? shareByLock(`posthouse-events-${accountId}`, receiver)
    : whileVisible(receiver);
}

function shareByLock(name: string, receiver: Receiver): () => void {
  const channel = new BroadcastChannel(name);
  const stopped = new AbortController();
  const handle = (message: Message) => {
    if (message.type === 'received') receiver.received(message.event);
    else receiver[message.type]();
  };
  const pass = (message: Message) => {
    handle(message);
    channel.postMessage(message);
  };
  channel.onmessage = ({ data }: MessageEvent<Message>) => handle(data);
  navigator.locks
    .request(name, { signal: stopped.signal }, async () => {
      const stop = connectEvents({
        opened: () => pass({ type: 'opened' }),
        received: (event) => pass({ type: 'received', event }),
        lost: () => pass({ type: 'lost' }),
      });
      await new Promise((resolve) => stopped.signal.addEventListener('abort', resolve));
      stop();
    })
    // Aborted while it waited for the lock.
    .catch(() => {});
  return () => {
    stopped.abort();
    channel.close();
  };
}

/** Connects only while the tab is visible: a browser has six HTTP/1.1 connections to a server, for all its tabs. */
function whileVisible(receiver: Receiver): () => void {
  let stop: (() => void) | null = null;
  const update = () => {
    if (document.visibilityState === 'visible') stop ??= connectEvents(receiver);
    else {
      stop?.();
      stop = null;
    }
  };
  update();
  document.addEventListener('visibilitychange', update);
  return () => {
    document.removeEventListener('visibilitychange', update);
    stop?.();
  };
}
