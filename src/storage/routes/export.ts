import type { Database } from '../../kernel/database/database.ts';
import { withDefaults } from '../../kernel/http/common-headers.ts';
import type { App } from '../../kernel/http/context.ts';
import { contentDisposition } from '../../kernel/http/disposition.ts';
import { endpoint } from '../../kernel/http/endpoint.ts';
import { type Recheck, recheckDownload } from '../../kernel/http/recheck.ts';
import { sendRepresentation } from '../../kernel/http/representation.ts';
import { Problem } from '../../kernel/problem.ts';
import type { Exports, FolderExport } from '../delivery/export.ts';
import { coalesce } from '../delivery/zip/coalesce.ts';
import { PathTooLong } from '../delivery/zip/zip.ts';
import type { Folders } from '../tree/folders.ts';
import type { Member } from '../tree/member.ts';
import { BYTES_PROBLEMS, bytesAnswers, rangeHeaders } from './bytes.ts';
import { folderId, workspaceQuery } from './fields.ts';
import type { Members } from './members.ts';

interface ExportRouteDeps {
  members: Members;
  database: Database;
  folders: Folders;
  exports: Exports;
}

/** Smaller pieces are copied into one chunk; larger ones cost more to copy than to send alone. */
const CHUNK = 32_768;

export const ZIP_ANSWERS = {
  ...bytesAnswers('application/zip'),
  204: { description: 'The folder holds no file.' },
} as const;
export const ZIP_PROBLEMS = ['path_too_long', 'rate_limited', ...BYTES_PROBLEMS] as const;

/** `GET /api/storage/export/{folderId}`: a folder and its subfolders as a ZIP file. */
export function mountExport(app: App, { members, database, folders, exports }: ExportRouteDeps): void {
  endpoint(app, {
    method: 'get',
    path: '/api/storage/export/{id}',
    operation: 'exportFolder',
    summary: 'Export a folder and its subfolders as a ZIP file',
    tags: ['folders'],
    auth: members.viewer,
    params: { id: folderId },
    query: workspaceQuery,
    headers: rangeHeaders,
    answers: ZIP_ANSWERS,
    problems: ZIP_PROBLEMS,
    async handler({ c, caller, params: { id }, query }) {
      const find = (member: Member) => folders.find(database.read, member, id, query.workspaceId);
      const folder = await find(caller);
      return await sendZip(c.req.raw, () => exports.folder(folder), {
        name: folder.name,
        secretUsed: false,
        recheck: recheckDownload(async () =>
          find(await members.viewer.authenticate(c, async () => undefined)),
        ),
      });
    },
  });
}

interface ZipOptions {
  /** File name without extension. */
  name: string;
  /** The request proved a secret: no cache may store the answer. */
  secretUsed: boolean;
  /** Called before bytes are sent in answer to a GET. May refuse by throwing. */
  beforeBytes?(): Promise<void> | undefined;
  /** Called before each chunk; ends the answer by throwing. */
  recheck: Recheck;
}

/** Sends a ZIP file; 204 when there is no file for it. @throws Problem 409 `path_too_long`, 412, 416 */
export async function sendZip(
  request: Request,
  layOut: () => Promise<FolderExport | null>,
  { name, secretUsed, beforeBytes, recheck }: ZipOptions,
): Promise<Response> {
  const exported = await layOut().catch((error) => {
    if (error instanceof PathTooLong) throw new Problem('path_too_long', error.message);
    throw error;
  });
  if (!exported) return new Response(null, { status: 204 });
  const { etag, length } = exported;
  const headers = {
    ETag: etag,
    'Accept-Ranges': 'bytes',
    'Cache-Control': secretUsed ? 'no-store' : 'private, no-cache',
    'Content-Security-Policy': "default-src 'none'; sandbox",
  };
  const zip = {
    etag,
    // Removals of files leave no date, so the tag is the only validator.
    lastModified: null,
    length,
    headers,
    contentHeaders: withDefaults({
      ...headers,
      'Content-Type': 'application/zip',
      'Content-Disposition': contentDisposition('attachment', `${name}.zip`),
    }),
  };
  return await sendRepresentation(request, zip, async (range) => {
    await beforeBytes?.();
    const { start, end } = range ?? { start: 0, end: length };
    return checkedStream(coalesce(exported.read(start, end), CHUNK), recheck);
  });
}

/** A stream that reads one chunk ahead of its reader. */
function checkedStream(
  chunks: AsyncGenerator<Uint8Array, void, undefined>,
  recheck: Recheck,
): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      try {
        await recheck();
      } catch (error) {
        await chunks.return();
        throw error;
      }
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await chunks.return();
    },
  });
}
