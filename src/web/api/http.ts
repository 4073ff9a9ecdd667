/** A refusal of the server (RFC 9457), or that it could not be reached (status 0). */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;
  readonly errors: { path: string; message: string }[];
  readonly requestId: string | null;

  constructor(facts: { status: number; code: string; detail: string; errors?: { path: string; message: string }[]; requestId?: string }) {
    super(facts.detail);
    this.status = facts.status;
    this.code = facts.code;
    this.errors = facts.errors ?? [];
    this.requestId = facts.requestId ?? null;
  }
}

/** Heard on `window` when the server no longer knows who is there. */
export const SIGNED_OUT = 'posthouse-signed-out';

type Query = Record<string, string | number | boolean | null | undefined>;

interface CallOptions {
  query?: Query;
  /** Sent as JSON. */
  body?: unknown;
  signal?: AbortSignal;
}

/**
 * Calls the server's interface and gives the JSON that it answers (undefined for an empty answer).
 * @throws ApiError for every refusal, and when the server cannot be reached
 */
export async function call<Answer>(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
  const response = await send(method, path, options);
  const text = await response.text();
  return (text === '' ? undefined : JSON.parse(text)) as Answer;
}

/** Like `call`, and gives the response itself. @throws ApiError like `call` */
export async function send(method: string, path: string, { query, body, signal }: CallOptions = {}): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(withQuery(path, query), {
      method,
      signal,
      // Some addresses answer a person with a page, and a script with JSON.
      headers: { Accept: 'application/json', ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError({ status: 0, code: 'unreachable', detail: 'The server cannot be reached.' });
  }
  if (response.ok) return response;
  const problem = problemOf(response.status, await response.text());
  if (problem.code === 'login_required') window.dispatchEvent(new Event(SIGNED_OUT));
  throw problem;
}

/** Reads an error answer; what is no problem document (a proxy's page) gets a sentence of ours. */
export function problemOf(status: number, text: string): ApiError {
  try {
    const problem = JSON.parse(text) as {
      code: string;
      detail: string;
      errors?: { path: string; message: string }[];
      requestId?: string;
    };
    if (typeof problem.code === 'string') return new ApiError({ ...problem, status });
  } catch {
    // Told below.
  }
  return new ApiError({ status, code: 'unknown', detail: `The server answered with status ${status}.` });
}

export function withQuery(path: string, query: Query = {}): string {
  const entries = Object.entries(query).filter(([, value]) => value !== null && value !== undefined && value !== '');
  if (entries.length === 0) return path;
  return `${path}?${new URLSearchParams(entries.map(([name, value]) => [name, String(value)]))}`;
}

/** The `next` address of a `Link` header (RFC 8288), null on the last page. */
export function nextPage(response: Response): string | null {
  const link = response.headers.get('Link') ?? '';
  return /<([^>]+)>\s*;\s*rel="?next"?/.exec(link)?.[1] ?? null;
}
