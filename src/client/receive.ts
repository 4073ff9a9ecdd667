import { foreign, unreachable } from './error.ts';

/** The forms in which a call returns the body of a response. */
export type ParseAs = 'json' | 'text' | 'blob' | 'arrayBuffer' | 'formData' | 'stream';

/** Returns the body of a successful response; undefined = it has none. @throws like `received` and `parseJson` */
export async function bodyOf(response: Response, parseAs: ParseAs, signal?: AbortSignal): Promise<unknown> {
  if (parseAs === 'stream') return response.body;
  if (response.status === 204) return undefined;
  if (parseAs !== 'json') return await received<unknown>(response[parseAs](), signal);
  return parseJson(await received(response.text(), signal));
}

/**
 * Returns the body of a response once it has been read.
 * @throws PosthouseError `unreachable` if the connection was lost; the reason of `signal`
 */
export async function received<Body>(reading: Promise<Body>, signal?: AbortSignal | null): Promise<Body> {
  try {
    return await reading;
  } catch {
    signal?.throwIfAborted();
    throw unreachable();
  }
}

/** @throws PosthouseError `unknown` for a text that is not JSON, such as an empty one */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw foreign();
  }
}
