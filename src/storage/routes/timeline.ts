import { z } from '@hono/zod-openapi';
import type { App } from '../../kernel/http/context.ts';
import { endpoint } from '../../kernel/http/endpoint.ts';
import { addNextLink } from '../../kernel/http/next-link.ts';
import type { Param } from '../../kernel/http/params.ts';
import { notFound } from '../../kernel/problem.ts';
import type { StoredFile } from '../tree/files/file.ts';
import { monthBelow, monthOf, timelineBelow, timelineOf } from '../tree/files/timeline.ts';
import type { FoundRow } from '../tree/found-row.ts';
import type { Member } from '../tree/member.ts';
import type { RoutesDeps } from './deps.ts';
import { folderIdField, pageQuery, workspaceQuery } from './fields.ts';
import { listItem, listItemSchema, type Names } from './records.ts';

const monthSchema = z.object({ month: z.string().openapi({ example: '2019-07' }), count: z.int() });

const placeQuery = workspaceQuery.extend({
  folderId: folderIdField.optional().openapi({
    description: 'GUID of a folder, or `root`, with everything in it; if omitted, the whole workspace',
  }),
});

const monthItemSchema = listItemSchema
  .extend({
    placeholder: z.string().optional().openapi({
      description:
        'WebP of a few pixels in base64, to show until the thumbnail is loaded; only for rendered pictures',
    }),
  })
  .openapi('MonthItem');

/** A month of the timeline, `YYYY-MM`; 404 for any other text. */
const month: Param<string> = {
  schema: z.string().openapi({ example: '2019-07' }),
  parse(text) {
    if (!/^\d{4}-(?:0[1-9]|1[0-2])$/.test(text)) throw notFound();
    return text;
  },
};

/** Pictures and videos by month. */
export function mountTimeline(app: App, deps: RoutesDeps): void {
  mountMonths(app, deps);
  mountMonth(app, deps);
}

function mountMonths(app: App, deps: RoutesDeps): void {
  const { database, members, giveWay } = deps;
  endpoint(app, {
    method: 'get',
    path: '/api/storage/timeline',
    operation: 'getTimeline',
    summary: 'Count pictures and videos by month',
    tags: ['files'],
    auth: members.viewer,
    query: placeQuery,
    giveWay,
    responses: {
      200: {
        description: 'By the time taken or, if unknown, the time of upload; newest month first.',
        schema: z.array(monthSchema),
      },
    },
    problems: ['not_found'],
    async handler({ caller, query }) {
      const place = await placeOf(deps, caller, query);
      return 'folder' in place
        ? await timelineBelow(database, place.folder)
        : await timelineOf(database, place.workspaceId);
    },
  });
}

function mountMonth(app: App, deps: RoutesDeps): void {
  const { database, members, namesOf, giveWay } = deps;
  endpoint(app, {
    method: 'get',
    path: '/api/storage/timeline/{month}',
    operation: 'listMonth',
    summary: 'List the pictures and videos of a month',
    tags: ['files'],
    auth: members.viewer,
    params: { month },
    query: placeQuery.extend(pageQuery),
    giveWay,
    responses: {
      200: {
        description: 'Most recently taken first. `Link: <…>; rel="next"` (RFC 8288) links to the next page.',
        schema: z.array(monthItemSchema),
      },
    },
    async handler({ c, caller, params, query: { limit, cursor, ...query } }) {
      const place = await placeOf(deps, caller, query);
      const options = { ...params, limit, cursor };
      const page =
        'folder' in place
          ? await monthBelow(database, place.folder, options)
          : await monthOf(database, place.workspaceId, options);
      addNextLink(c, page.nextCursor);
      const names = await namesOf(page.files);
      await giveWay();
      return page.files.map((file) => monthItem(file, names));
    },
  });
}

function monthItem(file: StoredFile, names: Names) {
  return { ...listItem(file, names), placeholder: file.facts.placeholder ?? undefined };
}

/** Returns the folder or the workspace whose pictures are listed. @throws Problem 404 */
async function placeOf(
  { database, folders, workspaces }: RoutesDeps,
  caller: Member,
  { workspaceId, folderId }: z.infer<typeof placeQuery>,
): Promise<{ folder: FoundRow } | { workspaceId: string }> {
  if (folderId !== undefined) {
    const folder = await folders.find(database.read, caller, folderId, workspaceId);
    return folder.parentId === null ? { workspaceId: folder.workspaceId } : { folder };
  }
  return { workspaceId: (await workspaces.find(database.read, caller, workspaceId ?? null)).id };
}
