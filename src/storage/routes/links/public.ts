import { z } from '@hono/zod-openapi';
import { anyone } from '../../../kernel/http/auth.ts';
import type { App, Ctx } from '../../../kernel/http/context.ts';
import { endpoint } from '../../../kernel/http/endpoint.ts';
import { nextLink } from '../../../kernel/http/next-link.ts';
import { NO_STORE } from '../../../kernel/http/no-store.ts';
import { opaque } from '../../../kernel/http/params.ts';
import type { Language } from '../../../kernel/language.ts';
import type { LiveLink } from '../../links/access.ts';
import { LINK_RIGHTS } from '../../links/link.ts';
import type { StoredFile } from '../../tree/files/file.ts';
import { answerPreflights, anyOrigin } from '../any-origin.ts';
import { pageQuery } from '../fields.ts';
import { textsOf } from '../folder-page/texts.ts';
import { factFields, factsRecord } from '../records.ts';
import { linkSecretParams, secretsOf } from '../secrets.ts';
import type { LinkRoutesDeps } from './deps.ts';

const named = z.object({ id: z.uuid(), name: z.string() });
const fileSchema = z.object({
  id: z.uuid(),
  name: z.string(),
  sizeBytes: z.int(),
  mimeType: z.string(),
  width: factFields.width,
  height: factFields.height,
  takenAt: factFields.takenAt,
  hasThumbnail: z.boolean(),
});
const contentSchema = z
  .object({
    title: z.string().nullable(),
    message: z.string().nullable(),
    access: z.enum(LINK_RIGHTS),
    folder: named.nullable().openapi({ description: 'Null for chosen files, and with `access` `upload`' }),
    path: z.array(named).openapi({ description: 'From the shared folder down to `folder` itself' }),
    folders: z.array(named),
    files: z.array(fileSchema).openapi({ description: 'A page of the files, by name' }),
    hidden: z.int().openapi({
      description: 'Number of files that are left out, since they have their own password or access key',
    }),
  })
  .openapi('LinkContent');

const query = linkSecretParams.extend({
  folderId: z
    .guid('must be a GUID')
    .toLowerCase()
    .optional()
    .openapi({ description: 'A folder below the shared one' }),
  ...pageQuery,
});

/** Codes of every public endpoint of a link. */
export const LINK_PROBLEMS = [
  'not_found',
  'file_password_required',
  'file_password_wrong',
  'too_many_attempts',
  'link_expired',
] as const;

/** The content of a link to a folder or to chosen files, for anyone who has the link and its password. */
export function mountPublicLink(app: App, deps: LinkRoutesDeps): void {
  const { linkAccess, giveWay } = deps;
  answerPreflights(app, '/api/storage/public/folder/:token');
  endpoint(app, {
    method: 'get',
    path: '/api/storage/public/folder/{token}',
    operation: 'getSharedFolder',
    summary: 'List a folder, or chosen files, by the token of a link',
    tags: ['sharing'],
    auth: anyone,
    params: { token: opaque },
    query,
    giveWay,
    problems: LINK_PROBLEMS,
    everyResponse: anyOrigin('Link'),
    responses: {
      200: {
        description: 'The content. `Link: <…>; rel="next"` (RFC 8288) links to the next page of files.',
        schema: contentSchema,
      },
    },
    async handler({ c, params: { token }, query: { filePassword, ...options }, reply }) {
      const { link } = await linkAccess.open(token, secretsOf(c, { filePassword }));
      return reply(200, await contentOf(c, deps, link, options), NO_STORE);
    },
  });
}

async function contentOf(
  c: Ctx,
  { content, giveWay }: LinkRoutesDeps,
  link: LiveLink,
  { folderId, ...options }: Omit<z.output<typeof query>, 'filePassword'>,
): Promise<z.infer<typeof contentSchema>> {
  const { title, message, access } = link;
  const settings = { title, message, access };
  if (access === 'upload') return { ...settings, folder: null, path: [], folders: [], files: [], hidden: 0 };
  const place = await content.place(link, folderId ?? null);
  const { files, nextCursor } = await content.files(link, place, options);
  if (nextCursor !== null) c.header('Link', withoutSecret(nextLink(c, nextCursor)));
  await giveWay();
  const folders = await content.folders(place, null);
  const hidden = await content.hidden(link, place);
  await giveWay();
  return {
    ...settings,
    folder: place.folder,
    path: [...place.path],
    folders,
    files: files.map(fileRecord),
    hidden,
  };
}

/** Removes the secret, which must not appear in the address of the next page. */
function withoutSecret(link: string): string {
  return link.replace(/(?<=[?&])filePassword=[^&>]*&?/gi, '');
}

function fileRecord({ id, originalName, sizeBytes, mimeType, facts, thumbnail }: StoredFile) {
  const { width, height, takenAt } = factsRecord(facts);
  const hasThumbnail = thumbnail.key !== null;
  return { id, name: originalName, sizeBytes, mimeType, width, height, takenAt, hasThumbnail };
}

/** Returns the name of a link for its visitors. */
export function titleOf({ title, folderName }: LiveLink, language: Language): string {
  return title ?? folderName ?? textsOf(language).sharedFiles;
}
