import { z } from '@hono/zod-openapi';
import type { Guard } from '../../identity/guard.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { App } from '../../kernel/http/context.ts';
import { endpoint, pathId } from '../../kernel/http/endpoint.ts';
import type { BlobReader } from '../blobs/small.ts';
import { sendBytes } from '../bytes.ts';
import { representationOf } from '../file.ts';
import type { Files } from '../files.ts';

interface ContentRoutesParts {
  database: Database;
  guard: Guard;
  files: Files;
  blobs: BlobReader;
}

/** A file's bytes, for its owner. */
export function mountContent(app: App, { database, guard, files, blobs }: ContentRoutesParts): void {
  endpoint(
    app,
    'get',
    '/api/storage/files/{id}/content',
    {
      summary: 'The bytes of a file',
      tags: ['files'],
      security: ['session', 'bearer'],
      query: z.object({ inline: z.literal('1').optional().openapi({ description: 'Show it, where its type can run no script' }) }),
      answers: {
        200: { description: 'The bytes.', schema: z.string(), mediaType: '*/*' },
        206: { description: 'The range that was asked for.', schema: z.string(), mediaType: '*/*' },
        304: { description: 'The client has it.', schema: null },
      },
      problems: ['login_required', 'not_found', 'precondition_failed', 'range_not_satisfiable'],
    },
    async (c) => {
      const { accountId } = await guard.requireAccount(c);
      const file = await files.find(database.read, accountId, pathId(c, 'id'));
      return await sendBytes(c.req.raw, blobs, representationOf(file), {
        inline: c.req.query('inline') === '1',
        secretUsed: false,
        anonymous: false,
      });
    },
  );
}
