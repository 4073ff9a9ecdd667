import { statSync } from 'node:fs';
import { isLoopbackHost } from '../kernel/ip.ts';
import type { Config } from './config.ts';
import type { Secrets } from './secrets.ts';
import { keyFile } from './server-keys.ts';

/** Permissions of group and others. */
export const OTHERS = 0o077;

/** Minimum length of a token that cannot be guessed. */
const SAFE_TOKEN = 16;

/** Returns a sentence for each setting or file that puts secrets at risk, for the log of a starting server. */
export function warningsOf(config: Config, secrets: Secrets): string[] {
  const key = secrets.serverSecret === null ? readableKeyFile(config.dataDir) : null;
  return [unencryptedAccess(config), key, shortToken(secrets)].filter((sentence) => sentence !== null);
}

/**
 * Returns a sentence with the reason why passwords and sessions can be read in transit, and the remedy; null = they
 * cannot.
 */
export function unencryptedAccess({
  host,
  publicUrl,
  otherUrls,
}: Pick<Config, 'host' | 'publicUrl' | 'otherUrls'>): string | null {
  // The other URLs have the scheme of the first.
  if (publicUrl?.startsWith('https:')) return null;
  const urls = publicUrl === null ? [] : [publicUrl, ...otherUrls];
  const open = urls.find((url) => !isLoopbackHost(new URL(url).hostname));
  const place = open
    ? `${open} is not encrypted`
    : isLoopbackHost(host)
      ? null
      : `HOST is ${host}, which other machines reach without encryption`;
  return (
    place &&
    `${place}, so passwords and sessions can be read in transit: put a proxy with a certificate in front, and ` +
      'set POSTHOUSE_PUBLIC_URL to its https address.'
  );
}

/** Warns of a metrics token that can be guessed; null = it cannot, or there is none. */
function shortToken({ metricsToken }: Secrets): string | null {
  if (metricsToken === null || metricsToken.length >= SAFE_TOKEN) return null;
  return `POSTHOUSE_METRICS_TOKEN can be guessed: set it to ${SAFE_TOKEN} random characters or more.`;
}

/** Warns of a key file that other users of the machine can read; null = they cannot. */
export function readableKeyFile(dataDir: string): string | null {
  const file = keyFile(dataDir);
  const found = statSync(file, { throwIfNoEntry: false });
  const mode = found?.isFile() ? found.mode & 0o777 : 0;
  if (!(mode & OTHERS)) return null;
  return `Other users of the machine can read ${file} (mode ${mode.toString(8)}): run chmod 600 ${file}`;
}
