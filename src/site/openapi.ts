import { type Coding, chooseCoding, encode } from '../kernel/http/coding.ts';
import { describeCoded } from '../kernel/http/compression.ts';
import { evaluatePreconditions } from '../kernel/http/content/conditional.ts';
import type { App, Ctx } from '../kernel/http/context.ts';
import { withLength } from '../kernel/http/head.ts';
import { languageOf } from '../kernel/http/language.ts';
import { addVary } from '../kernel/http/vary.ts';
import type { Language } from '../kernel/language.ts';
import { loadOnce } from '../kernel/load-once.ts';
import { createHandbook } from './handbook/handbook.ts';
import { type OpenApiDeps, openApiDocument } from './openapi-document.ts';
import type { OpenApi } from './openapi-types.ts';

const MAX_QUERY_LENGTH = 100;

/**
 * Serves `GET /openapi.json` (OpenAPI 3.1) of all mounted endpoints, pages under `/docs` to browse it, and
 * `/docs/errors`, to which the `type` of every problem leads.
 */
export function mountOpenApi(app: App, deps: OpenApiDeps): void {
  // Created by the first request, since services may be mounted later.
  const document = loadOnce(() => openApiDocument(app, deps));
  const headers = { 'Cache-Control': 'no-cache' };
  app.get(
    '/openapi.json',
    cached(async () => Response.json(await document(), { headers })),
  );
  const inLanguage = (language: Language) =>
    loadOnce(async () => handbookRoutes(await document(), deps, language));
  const handbooks: Record<Language, ReturnType<typeof inLanguage>> = {
    en: inLanguage('en'),
    de: inLanguage('de'),
  };
  const routes = (c: Ctx) => handbooks[languageOf(c)]();
  app.get('/docs', async (c) => (await routes(c)).introduction(c));
  app.get('/docs/errors', async (c) => (await routes(c)).errors(c));
  app.get(
    '/docs/:section',
    async (c) => (await (await routes(c)).sections.get(c.req.path)?.(c)) ?? c.notFound(),
  );
}

/** Returns the handlers of the pages under `/docs` in a language. */
function handbookRoutes(document: OpenApi, { problems }: OpenApiDeps, language: Language) {
  const handbook = createHandbook(document, problems, language);
  const introduction = cached(handbook.introduction);
  return {
    async introduction(c: Ctx) {
      const query = c.req.query('q')?.trim().slice(0, MAX_QUERY_LENGTH) ?? '';
      return query === '' ? await introduction(c) : await withLength(c, await handbook.results(query));
    },
    errors: cached(handbook.errors),
    sections: new Map([...handbook.sections].map(([path, create]) => [path, cached(create)])),
  };
}

/**
 * Returns a handler that creates a response once, and responds with copies of it in the coding of each request, or with
 * 304 when the client has this copy.
 */
function cached(create: () => Promise<Response>): (c: Ctx) => Promise<Response> {
  const first = loadOnce(async () => {
    const response = await create();
    const bytes = new Uint8Array(await response.arrayBuffer());
    return { headers: response.headers, bytes, hash: Bun.hash(bytes).toString(36) };
  });
  const coded = new Map<Coding, Promise<Uint8Array>>();
  return async (c) => {
    const { headers: common, bytes, hash } = await first();
    const coding = chooseCoding(c.req.header('Accept-Encoding'));
    const headers = new Headers(common);
    addVary(headers, 'Accept-Encoding');
    const etag = `"${hash}"`;
    if (evaluatePreconditions(c.req.raw.headers, { etag, lastModified: null }) === 'not_modified') {
      headers.set('ETag', coding === null ? etag : `W/${etag}`);
      return new Response(null, { status: 304, headers });
    }
    headers.set('ETag', etag);
    if (coding === null) return await withLength(c, new Response(bytes, { headers }));
    const body = coded.get(coding) ?? encode(bytes, coding);
    coded.set(coding, body);
    describeCoded(headers, coding);
    return await withLength(c, new Response((await body) as Uint8Array<ArrayBuffer>, { headers }));
  };
}
