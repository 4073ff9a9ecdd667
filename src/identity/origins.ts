import { CALLBACK_PATH } from './issuer/names.ts';

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

/** Returns the element of `origins` with a host and port; null = none. */
export function ownOriginAt(origins: Origins, host: string): string | null {
  return origins.find((origin) => new URL(origin).host === host) ?? null;
}

/** Returns the element of `origins` with the host of a request's URL; null = the request came to another host. */
export function ownOriginOf(origins: Origins, url: string): string | null {
  return ownOriginAt(origins, new URL(url).host);
}

/**
 * Returns the origin whose pages sign people in for `origin`: the first, so that a browser that is signed in there
 * need not sign in again. Names of the local machine are exceptions: on the browser's machine, they may lead elsewhere.
 */
export function signInOriginOf(origins: Origins, origin: string): string {
  return LOCAL_NAMES.includes(new URL(origin).hostname) ? origin : origins[0];
}

/**
 * Reports whether a sign-in with the callback `redirectUri` uses the pages and the session of the first origin, not
 * those of the origin in `redirectUri`.
 */
export function usesFirstOrigin(origins: Origins, redirectUri: string | undefined): boolean {
  const origin = origins.find((own) => redirectUri === own + CALLBACK_PATH);
  return origin !== undefined && signInOriginOf(origins, origin) !== origin;
}

const LOCAL_NAMES = ['localhost', '127.0.0.1', '[::1]'];

/** Returns the origin of a request's URL when it is one of `origins`, else the first of them. */
export function originOf(origins: Origins, url: string): string {
  return ownOriginOf(origins, url) ?? origins[0];
}
