import { openTcpProxy } from './tcp-proxy.ts';

/**
 * Opens a TCP proxy of `target` that closes the first connection whose client has sent more bytes than the first number
 * in `breakAfter`, and then removes that number.
 */
export async function openBreakingProxy(target: string, breakAfter: number[]) {
  const { port, close } = await openTcpProxy(Number(new URL(target).port), (client, upstream) => {
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
  return { url: `http://127.0.0.1:${port}`, left: breakAfter, close };
}
