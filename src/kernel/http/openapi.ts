import type { App } from './context.ts';
import { errorsPage } from './docs/errors.ts';
import { docsPage } from './docs/page.ts';
import type { OpenApi } from './docs/schema.ts';

const SECURITY_SCHEMES = {
  session: { type: 'apiKey', in: 'cookie', name: 'posthouse', description: 'The session cookie of a login.' },
  bearer: { type: 'http', scheme: 'bearer', description: 'A personal access token.' },
  basic: { type: 'http', scheme: 'basic', description: 'ClientId and ClientSecret of a mail client.' },
} as const;

/**
 * Serves `GET /openapi.json` (OpenAPI 3.1) of all that was mounted, the page `/docs` to browse it, and `/docs/errors`,
 * where the `type` of every problem leads.
 */
export function mountOpenApi(app: App, version: string, publicUrl: string): void {
  for (const [name, scheme] of Object.entries(SECURITY_SCHEMES)) app.openAPIRegistry.registerComponent('securitySchemes', name, scheme);
  // Made when first asked for, since services may be mounted after this, and then kept.
  const document = once(
    () =>
      app.getOpenAPI31Document({
        openapi: '3.1.0',
        info: { title: 'Posthouse', version, description: 'Files, chat relay and mail. API v.1', license: { name: 'MIT' } },
        servers: [{ url: publicUrl }],
      }) as unknown as OpenApi,
  );
  const headers = { 'Cache-Control': 'no-cache' };
  app.get(
    '/openapi.json',
    kept(async () => Response.json(document(), { headers })),
  );
  app.get(
    '/docs',
    kept(() => docsPage(document())),
  );
  app.get('/docs/errors', kept(errorsPage));
}

/** Gives the same answer again and again, made once: it is the same for everybody and takes a while to make. */
function kept(make: () => Promise<Response>): () => Promise<Response> {
  const made = once(async () => {
    const { headers, body } = await make();
    return { headers: Object.fromEntries(headers), body: await new Response(body).arrayBuffer() };
  });
  return async () => {
    const { headers, body } = await made();
    return new Response(body, { headers });
  };
}

/** Calls `make` the first time only. */
function once<Made>(make: () => Made): () => Made {
  let made: { value: Made } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
