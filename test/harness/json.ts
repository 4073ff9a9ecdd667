type Headers = Record<string, string>;

/** A server, or a browser with a session. */
interface Fetching {
  fetch(path: string, init?: RequestInit): Promise<Response>;
}

/** Sends a request, with a JSON body unless it is undefined. A string is sent as it is. */
export function sendJson(
  to: Fetching,
  method: string,
  path: string,
  body?: unknown,
  headers: Headers = {},
): Promise<Response> {
  return to.fetch(path, {
    method,
    headers: body === undefined ? headers : { 'Content-Type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

export function postJson(to: Fetching, path: string, body: unknown, headers?: Headers): Promise<Response> {
  return sendJson(to, 'POST', path, body, headers);
}

/** Sends JSON with the headers of a person; returns status and parsed body. */
export function jsonOf(to: Fetching, { headers }: { headers: Headers }) {
  return async <Answer = { code?: string; id: string }>(method: string, path: string, body?: object) => {
    const answer = await sendJson(to, method, path, body, headers);
    const text = await answer.text();
    return { status: answer.status, body: (text ? JSON.parse(text) : null) as Answer };
  };
}
