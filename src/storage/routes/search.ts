import { z } from '@hono/zod-openapi';
import type { Database } from '../../kernel/database/database.ts';
import type { App } from '../../kernel/http/context.ts';
import { endpoint } from '../../kernel/http/endpoint.ts';
import { nextLink } from '../../kernel/http/next-link.ts';
import type { NamesOf } from '../teams/names.ts';
import { searchFiles } from '../tree/search.ts';
import type { Workspaces } from '../tree/workspaces.ts';
import { cursorField, workspaceQuery } from './fields.ts';
import type { Members } from './members.ts';
import { listItem, listItemSchema } from './records.ts';

interface SearchRoutesDeps {
  database: Database;
  members: Members;
  workspaces: Workspaces;
  namesOf: NamesOf;
}

const searchQuery = z.object({
  query: z
    .string()
    .trim()
    .max(255)
    .refine((text) => !/\p{Cc}/u.test(text), 'must not contain control characters')
    .default('')
    .openapi({ description: 'Part of the name, without regard to case; one or two characters begin it' }),
  workspaceId: workspaceQuery.shape.workspaceId.openapi({ description: 'All of the caller when left out' }),
  limit: z.coerce.number().int().min(1).max(100).default(50),
  cursor: cursorField,
});

/** Files by their names, in all folders. */
export function mountSearch(app: App, { database, members, workspaces, namesOf }: SearchRoutesDeps): void {
  endpoint(app, {
    method: 'get',
    path: '/api/storage/search',
    operation: 'searchFiles',
    summary: 'Find files by their names in all folders',
    tags: ['files'],
    auth: members.viewer,
    query: searchQuery,
    answers: {
      200: {
        description: 'The last added first. `Link: <…>; rel="next"` (RFC 8288) leads to the next page.',
        schema: z.array(
          listItemSchema.extend({ path: z.string().openapi({ description: 'Folders above it: `a / b`' }) }),
        ),
      },
    },
    problems: ['not_found'],
    async handler({ c, caller, query: { workspaceId, ...options } }) {
      const found = workspaceId
        ? [await workspaces.find(database.read, caller, workspaceId)]
        : (await workspaces.list(caller)).filter(({ dateErased }) => dateErased === null);
      const ids = found.map(({ id }) => id);
      const page = await searchFiles(database, ids, { ...options, caller: caller.id });
      if (page.nextCursor !== null) c.header('Link', nextLink(c, 'cursor', page.nextCursor));
      const names = await namesOf(page.files);
      return page.files.map((file) => ({ ...listItem(file, names), path: file.path.join(' / ') }));
    },
  });
}
