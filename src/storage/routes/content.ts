import { z } from '@hono/zod-openapi';
import type { App } from '../../kernel/http/context.ts';
import { endpoint } from '../../kernel/http/endpoint.ts';
import { guid } from '../../kernel/http/params.ts';
import { BYTES_PROBLEMS, DOWNLOAD_RESPONSES, inlineParam, rangeHeaders, sendBytes } from './bytes.ts';
import type { RoutesDeps } from './deps.ts';

/** The bytes of a file, for its owner. */
export function mountContent(app: App, { database, members, files, blobs }: RoutesDeps): void {
  endpoint(app, {
    method: 'get',
    path: '/api/storage/files/{id}/content',
    operation: 'downloadFile',
    summary: 'Download a file',
    tags: ['files'],
    auth: members.viewer,
    params: { id: guid },
    headers: rangeHeaders,
    query: z.object({ inline: inlineParam }),
    responses: DOWNLOAD_RESPONSES,
    problems: BYTES_PROBLEMS,
    async handler({ c, caller, params: { id }, query }) {
      const file = await files.find(database.read, caller, id);
      return await sendBytes(c.req.raw, blobs, file, {
        secretUsed: false,
        anonymous: false,
        inline: query.inline === '1',
      });
    },
  });
}
