import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SECOND } from '../../kernel/clock.ts';
import { unavailable } from '../../kernel/errors/unavailable.ts';
import { newId } from '../../kernel/ids.ts';
import { inThisContext } from '../../kernel/limits/callers.ts';
import { shareRuns } from '../../kernel/share-runs.ts';

export interface PrivateRequest {
  method: string;
  headers: Headers;
  body?: Uint8Array | string | null;
}

/** A handler of Node's HTTP server that only this process can call. */
export interface PrivateServer {
  /**
   * @param target path and query
   * @throws Problem 503 `unavailable` when the handler does not respond in time, or the socket cannot be opened again
   */
  fetch(target: string, init: PrivateRequest): Promise<Response>;
  stop(): Promise<void>;
}

/** Header field with the id of a call of `fetch`. */
const CALL_FIELD = 'x-posthouse-call';
/** Longer than any wait for the database or for the hashing of a password. */
const ANSWER_MS = 30 * SECOND;

type Handler = (req: IncomingMessage, res: ServerResponse) => void;

interface SocketOptions {
  /** Maximum time for a response. */
  answerMs?: number;
  /** Directory in which that of the socket is created. */
  parent?: string;
}

/**
 * Listens on a unix socket in a directory that other users cannot access (`mkdtemp` creates it with mode
 * 0700). Opens another one when it was removed, for example by a tool that deletes temporary files. The handler runs in
 * the asynchronous context of the call of `fetch`, so its transactions count for the caller of that request.
 */
export async function serveOnSocket(
  handler: Handler,
  { answerMs = ANSWER_MS, parent = tmpdir() }: SocketOptions = {},
): Promise<PrivateServer> {
  const calls = createCalls(handler);
  let socket = await openSocket(calls.handle, parent);

  const openAnother = shareRuns(async () => {
    const { server } = socket;
    socket = await openSocket(calls.handle, parent).catch((error) => {
      throw unavailable('system', error);
    });
    // Requests under way continue.
    server.close();
  });

  async function socketPath(): Promise<string> {
    if (!existsSync(socket.path)) {
      await openAnother();
    }
    return socket.path;
  }

  return {
    async fetch(target, init) {
      const signal = AbortSignal.timeout(answerMs);
      const unix = await socketPath();
      const call = calls.begin();
      const headers = new Headers(init.headers);
      headers.set(CALL_FIELD, call.id);
      const more = { headers, unix, redirect: 'manual', decompress: false, signal } as const;
      try {
        return await fetch(`http://issuer${target}`, { ...init, ...more });
      } catch (error) {
        throw signal.aborted ? unavailable('system', error) : error;
      } finally {
        call.end();
      }
    },
    async stop() {
      const { server, directory } = socket;
      const { promise: closed, resolve } = Promise.withResolvers<void>();
      server.close(() => resolve());
      server.closeAllConnections();
      // Before the wait, so that the directory is removed even if a connection stays open.
      rmSync(directory, { recursive: true, force: true });
      await closed;
    },
  };
}

/** Passes each request to the handler in the asynchronous context in which its call began. */
function createCalls(handler: Handler) {
  const handlers = new Map<string, Handler>();
  return {
    handle(req: IncomingMessage, res: ServerResponse): void {
      (handlers.get(String(req.headers[CALL_FIELD])) ?? handler)(req, res);
    },
    begin() {
      const id = newId();
      handlers.set(id, inThisContext(handler));
      return { id, end: () => void handlers.delete(id) };
    },
  };
}

interface Socket {
  server: Server;
  directory: string;
  path: string;
}

async function openSocket(handler: Handler, parent: string): Promise<Socket> {
  const directory = mkdtempSync(join(parent, 'posthouse-'));
  const path = join(directory, 'issuer.sock');
  const server = createServer(handler);
  const { promise: listening, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(path, resolve);
  await listening;
  return { server, directory, path };
}
