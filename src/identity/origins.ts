/** The origins of this server, the public one first. */
export type Origins = readonly [string, ...string[]];

/**
 * Returns the public URLs, or without one the three names of the local machine.
 * @param port the listening port
 */
export function ownOrigins(publicUrl: string | null, otherUrls: readonly string[], port: number): Origins {
  if (publicUrl !== null) return [publicUrl, ...otherUrls];
  return [`http://localhost:${port}`, `http://127.0.0.1:${port}`, `http://[::1]:${port}`];
}

/** Returns the one of `origins` whose host is that of a request's URL; null = the request came to another host. */
export function ownOriginOf(origins: Origins, url: string): string | null {
  const { host } = new URL(url);
  return origins.find((origin) => new URL(origin).host === host) ?? null;
}

/** Returns the origin of a request's URL when it is one of `origins`, else the first of them. */
export function originOf(origins: Origins, url: string): string {
  return ownOriginOf(origins, url) ?? origins[0];
}
