import { z } from '@hono/zod-openapi';
import type { Caller } from '../../identity/caller.ts';
import type { Watcher } from '../../kernel/events.ts';
import type { Auth } from '../../kernel/http/auth.ts';
import type { App } from '../../kernel/http/context.ts';
import { allowBearer } from '../../kernel/http/cors.ts';
import { endpoint } from '../../kernel/http/endpoint.ts';
import type { Streams } from '../streams.ts';

const PATH = '/api/events';
/** Maximum number of open streams of an account. */
const OF_ACCOUNT = 10;
/** Maximum number of open streams of all tokens of a workspace. */
const OF_WORKSPACE = 100;
const HEADERS = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-store',
  // https://nginx.org/en/docs/http/ngx_http_proxy_module.html#proxy_buffering
  'X-Accel-Buffering': 'no',
};

interface TokenOfWorkspace {
  id: string;
  workspaceId: string;
}

interface EventsDeps {
  auth: Auth<Caller | TokenOfWorkspace>;
  streams: Streams;
  /** Origins whose pages may use tokens. */
  corsOrigins: readonly string[];
}

/** Mounts the stream of live events. */
export function mountEvents(app: App, { auth, streams, corsOrigins }: EventsDeps): void {
  allowBearer(app, { pattern: PATH, origins: corsOrigins, headers: [], exposed: [] });
  endpoint(app, {
    method: 'get',
    path: PATH,
    operation: 'watchEvents',
    summary: 'Stream changes to files and messages',
    description:
      'Server-sent events until the session or the token ends. `files` has `workspaceId` and `folderId` (`null` for ' +
      'changes outside the folders, such as of the trash or the members) of workspaces of the caller; `messages` has ' +
      '`kind`, for administrators. Events have no content and may be lost when the stream ends: after each ' +
      'connection, read the displayed data again. A comment is sent every 20 seconds. An account has at most 10 ' +
      'streams, the tokens of a workspace 100 together.',
    tags: ['events'],
    auth,
    responses: { 200: { description: 'The events.', schema: z.string(), mediaType: 'text/event-stream' } },
    problems: ['rate_limited', 'unavailable'],
    async handler({ c, caller }) {
      if (c.req.method === 'HEAD') return new Response(null, { headers: HEADERS });
      return new Response(await streams.open(watcherOf(caller)), { headers: HEADERS });
    },
  });
}

function watcherOf(caller: Caller | TokenOfWorkspace): Watcher {
  if (!('accountId' in caller)) {
    const { id, workspaceId } = caller;
    const owner = { id: workspaceId, streams: OF_WORKSPACE };
    return { credentialId: id, memberId: id, role: 'token', owner };
  }
  const { credentialId, accountId, role } = caller;
  return { credentialId, memberId: accountId, role, owner: { id: accountId, streams: OF_ACCOUNT } };
}
