import { openTcpProxy } from './tcp-proxy.ts';

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
  // While it is stopped, it keeps its port from other programs.
  let isOpen = true;
  const proxy = await openTcpProxy(server.port ?? 0, (client, upstream) => {
    client.on('close', () => upstream.destroy());
    if (isOpen) client.pipe(upstream).pipe(client);
    else client.destroy();
  });
  return {
    url: `http://127.0.0.1:${proxy.port}`,
    /** Returns the number of requests for a path. */
    countOf: (path: string) => paths.filter((requested) => requested === path).length,
    update() {
      updated = true;
    },
    /** Cuts all connections, and those that follow until `start`. */
    stop() {
      isOpen = false;
      proxy.cut();
    },
    start() {
      isOpen = true;
    },
    async close() {
      await proxy.close();
      await server.stop(true);
    },
  };
}
