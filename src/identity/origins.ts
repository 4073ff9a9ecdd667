/** The origins of this server, the public one first. */
export type Origins = readonly [string, ...string[]];

/**
 * Returns the public URL, or without one the three names of the local machine.
 * @param port the listening port
 */
export function ownOrigins(publicUrl: string | null, port: number): Origins {
  if (publicUrl !== null) return [publicUrl];
  return [`http://localhost:${port}`, `http://127.0.0.1:${port}`, `http://[::1]:${port}`];
}

/** Returns the origin of a request's URL when it is one of `origins`, else the first of them. */
export function originOf(origins: Origins, url: string): string {
  const { host } = new URL(url);
  return origins.find((origin) => new URL(origin).host === host) ?? origins[0];
}
