import { cannotListen } from '../kernel/http/listener/listener.ts';

/**
 * Opens and closes the port. Processes that share a port cannot detect another program that shares it too, which would
 * receive a part of the requests.
 * @throws Error with a sentence when the port is in use
 */
export function requireFreePort({ host, port }: { host: string; port: number }): void {
  if (port === 0) return;
  try {
    Bun.listen({ hostname: host, port, socket: { data() {} } }).stop(true);
  } catch (error) {
    throw cannotListen(host, port, error);
  }
}
