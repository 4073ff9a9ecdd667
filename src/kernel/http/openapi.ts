import type { App } from './context.ts';

const SECURITY_SCHEMES = {
  session: { type: 'apiKey', in: 'cookie', name: 'posthouse', description: 'The session cookie of a login.' },
  bearer: { type: 'http', scheme: 'bearer', description: 'A personal access token.' },
  basic: { type: 'http', scheme: 'basic', description: 'ClientId and ClientSecret of a mail client.' },
} as const;

/** Serves `GET /openapi.json` (OpenAPI 3.1) of all that was mounted, and the page `/docs` to browse it. */
export function mountOpenApi(app: App, version: string, publicUrl: string): void {
  for (const [name, scheme] of Object.entries(SECURITY_SCHEMES)) app.openAPIRegistry.registerComponent('securitySchemes', name, scheme);
  let document: string | undefined;
  app.get('/openapi.json', () => {
    document ??= JSON.stringify(
      app.getOpenAPI31Document({
        openapi: '3.1.0',
        info: {
          title: 'Posthouse',
          version,
          description: 'Files, chat relay and mail. API v.1',
          license: { name: 'MIT' },
        },
        servers: [{ url: publicUrl }],
      }),
    );
    return new Response(document, { headers: { 'Content-Type': 'application/json' } });
  });
}
