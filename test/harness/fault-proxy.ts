import { connect, createServer, type Socket } from 'node:net';
import { listen } from './listen.ts';

/** A TCP proxy of an engine on loopback whose connections fail on demand. */
export interface FaultProxy {
  port: number;
  /** Number of open connections. */
  connections(): number;
  /** Passes everything. Connections that lost bytes stay silent, as after a failure of the network. */
  heal(): Promise<void>;
  /** Closes all connections with a reset, and refuses new ones. */
  refuse(): Promise<void>;
  /** Accepts connections and bytes, and passes nothing until it is healed. */
  hang(): void;
  /** Accepts connections and bytes, and loses them. */
  swallow(): void;
  /** Closes all connections with a reset. */
  reset(): void;
  /** Delays the bytes from the client. */
  delay(ms: number): void;
  /** Calls `when` with the bytes that a client sends; `true` = this connection loses them, and stays silent. */
  intercept(when: ((bytes: Buffer) => boolean) | null): void;
  stop(): Promise<void>;
}

interface Pair {
  client: Socket;
  upstream: Socket;
  isSilent: boolean;
}

/** @param target port of the engine */
export async function openFaultProxy(target: number): Promise<FaultProxy> {
  const pairs = new Set<Pair>();
  let mode: 'pass' | 'hang' | 'swallow' = 'pass';
  let delayMs = 0;
  let intercepted: ((bytes: Buffer) => boolean) | null = null;
  const server = createServer((client) => {
    const pair = { client, upstream: connect(target, '127.0.0.1'), isSilent: false };
    pairs.add(pair);
    const end = () => {
      pairs.delete(pair);
      client.destroy();
      pair.upstream.destroy();
    };
    for (const socket of [client, pair.upstream]) socket.on('error', end).on('close', end);
    forward(pair, client, pair.upstream);
    forward(pair, pair.upstream, client);
    if (mode === 'hang') pauseBoth(pair);
  });

  function forward(pair: Pair, from: Socket, to: Socket): void {
    from.on('data', (bytes: Buffer) => {
      if (from === pair.client && intercepted?.(bytes)) pair.isSilent = true;
      if (mode === 'swallow') pair.isSilent = true;
      if (pair.isSilent) return;
      if (delayMs > 0 && from === pair.client) {
        from.pause();
        setTimeout(() => {
          to.write(bytes);
          from.resume();
        }, delayMs);
      } else if (!to.write(bytes)) {
        from.pause();
        to.once('drain', () => mode !== 'hang' && from.resume());
      }
    });
  }

  function pauseBoth({ client, upstream }: Pair): void {
    client.pause();
    upstream.pause();
  }

  function reset(): void {
    for (const { client } of [...pairs]) client.resetAndDestroy();
  }

  const port = await listen(server);
  return {
    port,
    connections: () => pairs.size,
    async heal() {
      mode = 'pass';
      delayMs = 0;
      intercepted = null;
      for (const { client, upstream } of pairs) {
        client.resume();
        upstream.resume();
      }
      if (!server.listening) await listen(server, port);
    },
    async refuse() {
      const closed = new Promise((resolve) => server.close(resolve));
      reset();
      await closed;
    },
    hang() {
      mode = 'hang';
      for (const pair of pairs) pauseBoth(pair);
    },
    swallow() {
      mode = 'swallow';
    },
    reset,
    delay(ms) {
      delayMs = ms;
    },
    intercept(when) {
      intercepted = when;
    },
    async stop() {
      reset();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  };
}
