import { freshSettings } from './backends.ts';
import { freePort } from './peers.ts';

/** Returns settings of a server on SQLite with two public addresses, and these. */
export async function twoAddresses() {
  const port = await freePort();
  // Browsers resolve names below `localhost` to the loopback address.
  const [first, second] = [`http://first.localhost:${port}`, `http://second.localhost:${port}`];
  const settings = {
    ...(await freshSettings('sqlite+local')),
    PORT: String(port),
    POSTHOUSE_PUBLIC_URL: `${first},${second}`,
  };
  return { first, second, settings };
}
