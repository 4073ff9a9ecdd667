import type { IncomingMessage, ServerResponse } from 'node:http';
import { asUnavailable } from '../../kernel/errors/unavailable.ts';
import type { PageDeps } from './interaction.ts';
import { loadLibrary } from './library.ts';
import { INTERACTION_PATH, ISSUER_PATH, UNAVAILABLE_FIELD } from './names.ts';
import type { ProviderDeps } from './provider.ts';
import { type PrivateServer, serveOnSocket } from './socket.ts';

/** Loads the provider, and serves it with its sign-in page on a private socket. */
export async function startProvider(deps: ProviderDeps, page: PageDeps): Promise<PrivateServer> {
  const { origins, log } = deps;
  const { createProvider, createInteraction } = await loadLibrary(log);
  const provider = createProvider(deps);
  const interact = createInteraction({ ...page, origins, log, provider });
  const serve = provider.callback();
  return await serveOnSocket((req: IncomingMessage & { originalUrl?: string }, res: ServerResponse) => {
    // The library routes by the path below the prefix, and takes the prefix for its addresses from
    // `originalUrl`.
    req.originalUrl = req.url;
    req.url = req.url?.slice(ISSUER_PATH.length) || '/';
    if (!req.url.startsWith(`${INTERACTION_PATH}/`)) return void serve(req, res);
    interact(req, res).catch((error) => {
      log.error({ error }, 'sign-in page failed');
      const problem = asUnavailable(error);
      if (problem) res.setHeader(UNAVAILABLE_FIELD, problem.detail);
      res.statusCode = 500;
      res.end();
    });
  });
}
