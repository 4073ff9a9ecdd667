/**
 * The origins under which this server is reached, the public one first. Without a public URL of the operator's the server
 * is for this machine, which has three names for itself.
 */
export function ownOrigins(publicUrl: string | null, port: number): [string, ...string[]] {
  if (publicUrl !== null) return [publicUrl];
  return [`http://localhost:${port}`, `http://127.0.0.1:${port}`, `http://[::1]:${port}`];
}
