interface Version {
  /** Scripts that the version adds or replaces, by path. */
  scripts: Readonly<Record<string, string>>;
  /** Changes the pages. */
  page(html: string): string;
}

/** Opens an HTTP proxy of a server, which can be stopped, and updated to a second version of its pages. */
export function openUpdatingProxy(target: string, { scripts, page }: Version) {
  let updated = false;
  const serve = (port: number) =>
    Bun.serve({
      port,
      hostname: '127.0.0.1',
      idleTimeout: 0,
      async fetch(request) {
        const { pathname, search } = new URL(request.url);
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
  let server = serve(0);
  const port = server.port ?? 0;
  return {
    url: `http://127.0.0.1:${port}`,
    update() {
      updated = true;
    },
    stop: () => server.stop(true),
    start() {
      server = serve(port);
    },
  };
}
