import { createServer, type IncomingMessage } from 'node:http';
import { listen } from '../harness/listen.ts';

export interface BreakableServer {
  port: number;
  stop(): Promise<void>;
}

/**
 * Serves HTTP on loopback. If `handle` returns null, the connection is closed without a response (which Bun.serve
 * cannot do).
 */
export async function serveBreakably(
  port: number,
  handle: (request: Request) => Promise<Response | null>,
): Promise<BreakableServer> {
  const server = createServer(async (incoming, outgoing) => {
    const answer = await handle(await asRequest(incoming));
    if (!answer) {
      incoming.socket.destroy();
      return;
    }
    outgoing.writeHead(answer.status, Object.fromEntries(answer.headers));
    outgoing.end(Buffer.from(await answer.arrayBuffer()));
  });
  return {
    port: await listen(server, port),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function asRequest(incoming: IncomingMessage): Promise<Request> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Uint8Array);
  const { method = 'GET', url = '/', headers } = incoming;
  const bodiless = method === 'GET' || method === 'HEAD';
  const pairs = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
  return new Request(`http://127.0.0.1${url}`, {
    method,
    headers: pairs,
    body: bodiless ? null : Buffer.concat(chunks),
  });
}
