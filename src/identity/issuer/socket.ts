import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SECOND } from '../../kernel/clock.ts';
import { unavailable } from '../../kernel/errors/unavailable.ts';

export interface PrivateRequest {
  method: string;
  headers: Headers;
  body?: Uint8Array | string | null;
}

/** A handler of Node's HTTP server that only this process can call. */
export interface PrivateServer {
  /**
   * @param target path and query
   * @throws Problem 503 `unavailable` when the handler does not respond in time */
  fetch(target: string, init: PrivateRequest): Promise<Response>;
  stop(): Promise<void>;
}

/** Longer than the wait for a database or for the turn of a password. */
const ANSWER_MS = 30 * SECOND;

/**
 * Listens on a unix socket in a directory that other users cannot access (`mkdtemp` creates it with mode
 * 0700).
 */
export async function serveOnSocket(
  handler: (req: IncomingMessage, res: ServerResponse) => void,
  answerMs = ANSWER_MS,
): Promise<PrivateServer> {
  const directory = mkdtempSync(join(tmpdir(), 'posthouse-'));
  const socket = join(directory, 'issuer.sock');
  const server = createServer(handler);
  const { promise: listening, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(socket, resolve);
  await listening;
  return {
    async fetch(target, init) {
      const signal = AbortSignal.timeout(answerMs);
      const more = { unix: socket, redirect: 'manual', decompress: false, signal } as const;
      try {
        return await fetch(`http://issuer${target}`, { ...init, ...more });
      } catch (error) {
        throw signal.aborted ? unavailable('system', error) : error;
      }
    },
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
