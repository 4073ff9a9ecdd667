/** The origins under which people reach this server, the public one first. */
export type Origins = readonly [string, ...string[]];

/**
 * Without a public URL of the operator's the server is for this machine, which has three names for itself.
 * @param port the one that is listened on
 */
export function ownOrigins(publicUrl: string | null, port: number): Origins {
  if (publicUrl !== null) return [publicUrl];
  return [`http://localhost:${port}`, `http://127.0.0.1:${port}`, `http://[::1]:${port}`];
}

/** The origin that a browser used: by the request's `Host` where that is one of ours, else the public one. */
export function originOf(origins: Origins, url: string): string {
  const { host } = new URL(url);
  return origins.find((origin) => new URL(origin).host === host) ?? origins[0];
}
