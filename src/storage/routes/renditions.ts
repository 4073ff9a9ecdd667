import { z } from '@hono/zod-openapi';
import type { App } from '../../kernel/http/context.ts';
import { endpoint } from '../../kernel/http/endpoint.ts';
import { guid } from '../../kernel/http/params.ts';
import { BYTES_PROBLEMS, bytesResponses, rangeHeaders } from './bytes.ts';
import type { RoutesDeps } from './deps.ts';
import { RENDITIONS, sendRendition } from './send-rendition.ts';

const TO_OWNER = { secretUsed: false, anonymous: false };
const query = z.object({
  of: z.string().optional().openapi({ description: 'Any text; distinguishes copies in caches' }),
});

/** The renditions of a file, for the members of its workspace. */
export function mountRenditions(
  app: App,
  { database, members, files, blobs, awaitRendition }: RoutesDeps,
): void {
  for (const rendition of RENDITIONS) {
    const { kind, name, side, problem } = rendition;
    endpoint(app, {
      method: 'get',
      path: `/api/storage/files/{id}/${kind}`,
      operation: `get${name}`,
      summary: `Get the ${kind} of a picture`,
      description:
        `A WebP picture, upright and without metadata, whose longest side has at most ${side} pixels.
        Waits up to a second while it is being rendered.`.replace(/\s+/g, ' '),
      tags: ['files'],
      auth: members.viewer,
      params: { id: guid },
      headers: rangeHeaders,
      query,
      responses: bytesResponses('image/webp'),
      problems: [problem, ...BYTES_PROBLEMS],
      async handler({ c, caller, params: { id } }) {
        const file = await files.find(database.read, caller, id);
        const awaited = { ...file, [kind]: await awaitRendition(file, kind, caller.id) };
        return await sendRendition(c.req.raw, blobs, { file: awaited, rendition }, TO_OWNER);
      },
    });
  }
}
