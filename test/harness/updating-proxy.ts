import { connect, createServer, type Socket } from 'node:net';

interface Version {
  /** Scripts that the version adds or replaces, by path. */
  scripts: Readonly<Record<string, string>>;
  /** Changes the pages. */
  page(html: string): string;
}

/** Opens an HTTP proxy of a server, which can be stopped, and updated to a second version of its pages. */
export async function openUpdatingProxy(target: string, { scripts, page }: Version) {
  let updated = false;
  const paths: string[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      paths.push(pathname);
      const script = updated ? scripts[pathname] : undefined;
      if (script !== undefined)
        return new Response(script, { headers: { 'Content-Type': 'text/javascript' } });
      const answer = await fetch(new URL(pathname + search, target), {
        headers: { Cookie: request.headers.get('Cookie') ?? '', 'Accept-Encoding': 'identity' },
        signal: request.signal,
      });
      if (!updated || !answer.headers.get('Content-Type')?.startsWith('text/html')) return answer;
      const headers = new Headers(answer.headers);
      headers.delete('Content-Length');
      return new Response(page(await answer.text()), { headers });
    },
  });
  const door = await openDoor(server.port ?? 0);
  return {
    url: `http://127.0.0.1:${door.port}`,
    /** Returns the number of requests for a path. */
    countOf: (path: string) => paths.filter((requested) => requested === path).length,
    update() {
      updated = true;
    },
    /** Cuts all connections, and those that follow until `start`. */
    stop: door.shut,
    start: door.open,
    async close() {
      await door.close();
      await server.stop(true);
    },
  };
}

/** Opens a TCP proxy of a port. While it is shut, it closes connections, but keeps its port from other programs. */
async function openDoor(to: number) {
  const sockets = new Set<Socket>();
  let isOpen = true;
  const server = createServer((from) => {
    const into = connect(to, '127.0.0.1');
    for (const socket of [from, into]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        from.destroy();
        into.destroy();
      });
    }
    if (!isOpen) return void from.destroy();
    from.pipe(into).pipe(from);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  const shut = () => {
    isOpen = false;
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    shut,
    open() {
      isOpen = true;
    },
    async close() {
      shut();
      await new Promise((closed) => server.close(closed));
    },
  };
}
