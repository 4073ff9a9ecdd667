import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface PrivateRequest {
  method: string;
  headers: Headers;
  body?: Uint8Array | string | null;
}

/** A handler of Node's HTTP server that only this process can call. */
export interface PrivateServer {
  /** @param target path and query */
  fetch(target: string, init: PrivateRequest): Promise<Response>;
  stop(): Promise<void>;
}

/**
 * Listens on a unix socket in a directory that other users cannot access (`mkdtemp` creates it with mode
 * 0700).
 */
export async function serveOnSocket(
  handler: (req: IncomingMessage, res: ServerResponse) => void,
): Promise<PrivateServer> {
  const directory = mkdtempSync(join(tmpdir(), 'posthouse-'));
  const socket = join(directory, 'issuer.sock');
  const server = createServer(handler);
  const { promise: listening, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(socket, resolve);
  await listening;
  return {
    fetch: (target, init) =>
      fetch(`http://issuer${target}`, { ...init, unix: socket, redirect: 'manual', decompress: false }),
    async stop() {
      const { promise: closed, resolve } = Promise.withResolvers<void>();
      server.close(() => resolve());
      server.closeAllConnections();
      // Before the wait, so that the directory is removed even if a connection stays open.
      rmSync(directory, { recursive: true, force: true });
      await closed;
    },
  };
}
