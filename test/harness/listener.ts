import { once } from 'node:events';
import { connect } from 'node:net';
import { createShortRequests } from '../../src/kernel/event-loop/short-requests.ts';
import { type Listener, listen } from '../../src/kernel/http/listener/listener.ts';

type Options = Parameters<typeof listen>[0];

/** Listens on a free port of the loopback. */
export function listenHere(options: Pick<Options, 'answer'> & Partial<Options>): Listener {
  return listen({
    shortRequests: createShortRequests(),
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 30,
    failed() {},
    unsent: () => Response.error(),
    excess: () => Response.error(),
    ...options,
  });
}

/** Sends everything, then receives until the end of the first response, or of the connection. */
export async function sendFirst({ port }: Listener, request: Buffer): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.pause();
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.write(request, () => resolve());
  });
  const closes = /connection: close/i.test(request.toString('latin1', 0, 1000));
  let answer = '';
  for await (const chunk of socket) {
    answer += chunk;
    if (/\r\n\r\n./.test(answer) && !closes) break;
  }
  socket.destroy();
  return answer;
}
