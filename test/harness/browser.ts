import type { Posthouse } from './posthouse.ts';

/** An HTTP client like a browser: keeps cookies by host, follows redirects and sends forms. */
export interface Browser {
  /** Sends one request, relative to the last page. Does not follow redirects. */
  fetch(url: string, init?: RequestInit): Promise<Response>;
  /** Opens a page, following redirects. */
  visit(url: string, init?: RequestInit): Promise<Page>;
  /** Sends the only form of a page with its hidden fields, following redirects. */
  submit(page: Page, fields: Record<string, string>): Promise<Page>;
  /** Returns the `Cookie` header for an address; empty = none. */
  cookiesFor(url: string): string;
}

export interface Page {
  url: string;
  status: number;
  headers: Headers;
  text: string;
  /** The visited addresses, including the first one. */
  visited: string[];
}

interface Cookie {
  host: string;
  path: string;
  value: string;
}

const MAX_REDIRECTS = 20;

/**
 * @param origin base of the first relative address
 * @param route returns the server for an address, like a load balancer; the request keeps the address's `Host`
 */
export function openBrowser(origin: string, route: (url: URL) => string = (url) => url.origin): Browser {
  const cookies = new Map<string, Cookie>();
  let here = origin;

  function keep(url: URL, answer: Response): void {
    for (const line of answer.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
      const name = pair.slice(0, pair.indexOf('='));
      const attribute = (wanted: string) =>
        attributes.find((part) => part.toLowerCase().startsWith(`${wanted}=`))?.slice(wanted.length + 1);
      const path = attribute('path') ?? '/';
      const key = `${name} ${url.hostname} ${path}`;
      const expires = attribute('expires');
      const isExpired =
        attribute('max-age') === '0' || (expires !== undefined && Date.parse(expires) <= Date.now());
      if (isExpired) cookies.delete(key);
      // Browsers drop a cookie without the attributes required by its name prefix (RFC 6265bis §4.1.3.2).
      else if (!name.startsWith('__Host-') || (path === '/' && attributes.includes('Secure'))) {
        cookies.set(key, { host: url.hostname, path, value: pair });
      }
    }
  }

  function cookiesFor(address: string): string {
    const url = new URL(address, here);
    const matches = ({ host, path }: Cookie) =>
      host === url.hostname &&
      (url.pathname === path || url.pathname.startsWith(path.endsWith('/') ? path : `${path}/`));
    return [...cookies.values()]
      .filter(matches)
      .map(({ value }) => value)
      .join('; ');
  }

  async function send(address: string, init: RequestInit = {}): Promise<Response> {
    const url = new URL(address, here);
    const headers = new Headers(init.headers);
    const own = cookiesFor(url.href);
    if (own && !headers.has('Cookie')) headers.set('Cookie', own);
    headers.set('Host', url.host);
    const answer = await fetch(route(url) + url.pathname + url.search, {
      ...init,
      headers,
      redirect: 'manual',
    });
    keep(url, answer);
    return answer;
  }

  async function visit(address: string, init: RequestInit = {}): Promise<Page> {
    const visited: string[] = [];
    let url = new URL(address, here).href;
    const accept = new Headers(init.headers).get('Accept') ?? 'text/html,*/*;q=0.8';
    // Scripts, which accept JSON only, do not navigate.
    const headers = { Accept: accept, ...(accept.includes('html') ? { 'Sec-Fetch-Mode': 'navigate' } : {}) };
    let request: RequestInit = { ...init, headers: { ...headers, ...init.headers } };
    for (let step = 0; step <= MAX_REDIRECTS; step++) {
      visited.push(url);
      const answer = await send(url, request);
      const text = await answer.text();
      here = url;
      const next = answer.headers.get('Location');
      if (answer.status < 300 || answer.status > 399 || !next)
        return { url, status: answer.status, headers: answer.headers, text, visited };
      url = new URL(next, url).href;
      request = { headers };
    }
    throw new Error(`too many redirects: ${visited.join(' → ')}`);
  }

  return {
    fetch: send,
    visit,
    cookiesFor,
    async submit(page, fields) {
      const form = /<form[^>]*>[\s\S]*?<\/form>/.exec(page.text)?.[0];
      if (!form) throw new Error(`no form on ${page.url} (${page.status}): ${page.text}`);
      const action = /<form[^>]*\saction="([^"]*)"/.exec(form)?.[1] ?? '';
      const body = new URLSearchParams();
      for (const [input] of form.matchAll(/<input[^>]*type="hidden"[^>]*>/g)) {
        const value = (name: string) => new RegExp(`\\s${name}="([^"]*)"`).exec(input)?.[1] ?? '';
        body.set(value('name'), value('value'));
      }
      for (const [name, value] of Object.entries(fields)) body.set(name, value);
      return await visit(new URL(action || page.url, page.url).href, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/x-www-form-urlencoded',
          'Sec-Fetch-Site': 'same-origin',
          Origin: new URL(page.url).origin,
        },
        body: body.toString(),
      });
    },
  };
}

/**
 * Signs a person in through the embedded issuer. The returned browser is on the server's origin; `headers` has the
 * session for plain `fetch`.
 */
export async function signIn(posthouse: Posthouse, email: string, password = 'correct horse battery') {
  const browser = openBrowser(posthouse.url);
  const form = await browser.visit('/login?returnTo=/api/me');
  const page = await browser.submit(form, { email, password });
  if (page.status !== 200) throw new Error(`${email} could not sign in: ${page.status} ${page.text}`);
  const cookie = browser.cookiesFor(posthouse.url);
  return {
    browser,
    cookie,
    headers: { Cookie: cookie },
    me: JSON.parse(page.text) as { id: string; email: string; name: string; role: string },
  };
}

/** Returns the pairs of a `Cookie` header for the browser context of a page. */
export const cookiesOf = (cookie: string, url: string) =>
  cookie.split('; ').map((pair) => ({
    name: pair.slice(0, pair.indexOf('=')),
    value: pair.slice(pair.indexOf('=') + 1),
    url,
  }));
