import { connect, createServer, type Socket } from 'node:net';

/**
 * Opens a TCP proxy of `target` that closes the first connection whose client has sent more bytes than the first number
 * in `breakAfter`, and then removes that number.
 */
export async function openBreakingProxy(target: string, breakAfter: number[]) {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(new URL(target).port), '127.0.0.1');
    for (const socket of [client, upstream]) sockets.add(socket.on('error', () => {}));
    upstream.on('close', () => client.destroy());
    let up = 0;
    client.on('data', (chunk) => {
      up += chunk.length;
      const limit = breakAfter[0];
      if (limit !== undefined && up > limit) {
        breakAfter.shift();
        // The connection to the server stays open, as after a network failure.
        client.destroy();
        return;
      }
      if (!upstream.write(chunk)) {
        client.pause();
        upstream.once('drain', () => client.resume());
      }
    });
    upstream.pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    left: breakAfter,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
