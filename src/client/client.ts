import createClient, { type ClientOptions, type Middleware } from 'openapi-fetch';
import type { HttpMethod } from 'openapi-typescript-helpers';
import type { Call, ListCall, Page } from './calls.ts';
import { errorOf, foreign, PosthouseError, retryAfter, unreachable } from './error.ts';
import { bodyOf, type ParseAs } from './receive.ts';
import { type Fetch, withRetries } from './retry.ts';
import type { paths } from './schema.d.ts';
import { withTimeLimit } from './time-limit.ts';
import { createUploads, type Uploads } from './uploads.ts';

export interface PosthouseOptions {
  /** URL of the server; '' on a page of the server itself. */
  url: string;
  /**
   * Personal access token, sent to endpoints that need an account; without one a browser sends its session cookie.
   */
  token?: string;
  /** Replaces the global `fetch`. Browsers send files by `XMLHttpRequest` instead, which reports progress. */
  fetch?: Fetch;
  /** Maximum number of retries of a request that is safe to repeat; default 2. */
  retries?: number;
  /**
   * Maximum time to wait for the response to each attempt of a request without files, and for progress of an upload, in
   * milliseconds; default 60,000.
   */
  timeoutMs?: number;
  /** Header fields of every request. */
  headers?: Record<string, string>;
  /** Called with each error before it is thrown, except errors of `uploads`. */
  onError?(error: PosthouseError): void;
}

export interface Posthouse {
  get: Call<'get'>;
  post: Call<'post'>;
  put: Call<'put'>;
  patch: Call<'patch'>;
  delete: Call<'delete'>;
  /**
   * Sends any request with the credentials, and returns the whole response.
   * @throws PosthouseError for an error response
   */
  send(path: string, init?: RequestInit): Promise<Response>;
  /** Reads the first page of a list whose pages are linked (RFC 8288). @throws PosthouseError */
  list: ListCall;
  /** Reads the page at the `next` address of another page. @throws PosthouseError */
  page<Item>(address: string, init?: RequestInit): Promise<Page<Item>>;
  uploads: Uploads;
}

/** The options of a call that are used here. */
interface CallOptions {
  parseAs?: ParseAs;
  signal?: AbortSignal;
}

/** Time without a response after which most proxies end a request, by default. */
const MINUTE = 60_000;

/** The endpoints that accept an `Idempotency-Key`. */
const SENDERS: ReadonlySet<string> = new Set([
  '/requestemail',
  '/requesttelegram',
  '/sendcontactusform',
  '/api/chatbot/sendmessage',
]);

/** Paths that need no account, and do not accept `Authorization` from pages of other origins. */
const WITHOUT_ACCOUNT =
  /^\/(?:request(?:email|telegram)\b|sendcontactusform\b|api\/chatbot\/|(?:api\/storage\/)?public\/)/i;

/** Creates a typed client of one server. */
export function createPosthouse(options: PosthouseOptions): Posthouse {
  const { url, token, fetch = globalThis.fetch, retries = 2, timeoutMs = MINUTE } = options;
  const { headers = {}, onError } = options;
  const baseUrl = url.replace(/\/+$/, '');
  const common = { Accept: 'application/json', ...headers };
  const signed = { ...common, ...(token ? { Authorization: `Bearer ${token}` } : {}) };
  const once: Fetch = (request) => fetch(request);
  const reliably = withRetries({ fetch: withTimeLimit(once, timeoutMs), retries });
  const anonymousClient = createCaller({ baseUrl, fetch: reliably, headers: common });
  const signedClient = createCaller({ baseUrl, fetch: reliably, headers: signed });

  async function reporting<Answer>(answer: Promise<Answer>): Promise<Answer> {
    try {
      return await answer;
    } catch (error) {
      if (error instanceof PosthouseError) onError?.(error);
      throw error;
    }
  }

  async function request(method: HttpMethod, path: never, [options = {}]: CallOptions[]) {
    const { parseAs = 'json', signal } = options;
    const client = WITHOUT_ACCOUNT.test(path) ? anonymousClient : signedClient;
    try {
      // openapi-fetch returns no error for an empty body, and its own for a lost connection.
      const unread = { ...options, parseAs: 'stream' } as never;
      const { response } = await client.request(method as 'get', path, unread);
      return { data: await bodyOf(response, parseAs, signal), response };
    } catch (error) {
      // It throws only errors, but the reason of an abort can be any value.
      signal?.throwIfAborted();
      throw error;
    }
  }
  const call = <Method extends HttpMethod>(method: Method): Call<Method> =>
    // The types of `request` and `Call` describe the same calls; the compiler cannot relate two generic signatures.
    (async (path: never, ...more: CallOptions[]) =>
      (await reporting(request(method, path, more))).data) as unknown as Call<Method>;
  async function readList(path: never, more: CallOptions[]): Promise<Page<unknown>> {
    const { data, response } = await request('get', path, more);
    return pageOf(data, response);
  }

  async function send(path: string, init: RequestInit = {}): Promise<Response> {
    const address = path.startsWith('/') ? `${baseUrl}${path}` : path;
    const ownPath = address.startsWith(baseUrl) ? address.slice(baseUrl.length) : address;
    const headers = new Headers(WITHOUT_ACCOUNT.test(ownPath) ? common : signed);
    for (const [name, value] of new Headers(init.headers)) headers.set(name, value);
    const request = new Request(absolute(address), { ...init, headers });
    const response = await reliably(request).catch(() => {
      throw init.signal?.aborted ? init.signal.reason : unreachable();
    });
    if (!response.ok) throw await errorFrom(response, init.signal);
    return response;
  }

  async function readPage<Item>(address: string, init?: RequestInit): Promise<Page<Item>> {
    const response = await send(address, init);
    return pageOf(await bodyOf(response, 'json', init?.signal ?? undefined), response);
  }

  return {
    get: call('get'),
    post: call('post'),
    put: call('put'),
    patch: call('patch'),
    delete: call('delete'),
    send: (path, init) => reporting(send(path, init)),
    list: ((path: never, ...more: CallOptions[]) => reporting(readList(path, more))) as unknown as ListCall,
    page: <Item>(address: string, init?: RequestInit) => reporting(readPage<Item>(address, init)),
    uploads: createUploads({ baseUrl, headers: signed, timeoutMs, fetch: once, send }),
  };
}

function createCaller(options: ClientOptions) {
  const client = createClient<paths>(options);
  client.use(idempotency, errors);
  return client;
}

/** The server sends only one message per key, and responds to each retry as to the first request. */
const idempotency: Middleware = {
  onRequest({ request, schemaPath }) {
    if (SENDERS.has(schemaPath) && !request.headers.has('Idempotency-Key'))
      request.headers.set('Idempotency-Key', crypto.randomUUID());
    return request;
  },
};

const errors: Middleware = {
  async onResponse({ request, response }) {
    if (!response.ok) throw await errorFrom(response, request.signal);
  },
  onError({ error, request }) {
    return error instanceof PosthouseError || request.signal.aborted ? undefined : unreachable();
  },
};

/** Reads an error response; if the connection is lost meanwhile, its status alone. @throws the reason of `signal` */
async function errorFrom(
  response: Response,
  signal: AbortSignal | null | undefined,
): Promise<PosthouseError> {
  const text = await response.text().catch(() => {
    signal?.throwIfAborted();
    return '';
  });
  return errorOf(response.status, text, retryAfter(response.headers.get('Retry-After')));
}

/** @throws PosthouseError `unknown` for a body that is not a list */
function pageOf<Item>(body: unknown, { headers }: Response): Page<Item> {
  if (!Array.isArray(body)) throw foreign();
  return { items: body as Item[], next: nextLink(headers.get('Link')) };
}

/** Outside a browser a request needs an absolute address. */
function absolute(address: string): string {
  const base = (globalThis as { location?: { href: string } }).location?.href;
  return base === undefined ? address : new URL(address, base).href;
}

function nextLink(header: string | null): string | null {
  return /<([^>]+)>\s*;\s*rel="?next"?/.exec(header ?? '')?.[1] ?? null;
}
