import type { Server } from 'node:net';

/** Starts a server; returns its port. */
export async function listen(server: Server, port = 0, host = '127.0.0.1'): Promise<number> {
  await new Promise<void>((listening) => server.listen(port, host, listening));
  const address = server.address();
  return typeof address === 'object' && address ? address.port : port;
}
