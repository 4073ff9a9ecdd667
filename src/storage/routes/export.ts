import { z } from '@hono/zod-openapi';
import type { Guard } from '../../identity/guard.ts';
import type { Database } from '../../kernel/database/database.ts';
import { evaluatePreconditions, rangeApplies } from '../../kernel/http/conditional.ts';
import type { App } from '../../kernel/http/context.ts';
import { contentDisposition } from '../../kernel/http/disposition.ts';
import { endpoint } from '../../kernel/http/endpoint.ts';
import { Problem } from '../../kernel/http/problem.ts';
import { contentRange, parseRange } from '../../kernel/http/ranges.ts';
import type { Exports, FolderExport } from '../export.ts';
import type { Folders } from '../folders.ts';
import { coalesce } from '../zip/coalesce.ts';
import { PathTooLong } from '../zip/zip.ts';
import { pathFolderId } from './folder-id.ts';

interface ExportRouteParts {
  guard: Guard;
  database: Database;
  folders: Folders;
  exportFolder: Exports;
}

const CHUNK = 131_072;
const rangeHeaders = z.object({ Range: z.string().optional(), 'If-Range': z.string().optional(), 'If-None-Match': z.string().optional() });

/** `GET /api/storage/export/{folderId}`: a folder and its subfolders as a ZIP file, whole or a range of it. */
export function mountExport(app: App, { guard, database, folders, exportFolder }: ExportRouteParts): void {
  endpoint(
    app,
    'get',
    '/api/storage/export/{id}',
    {
      summary: 'A folder and its subfolders as a ZIP file',
      tags: ['folders'],
      security: ['session', 'bearer'],
      headers: rangeHeaders,
      answers: {
        200: { description: 'The ZIP file.', schema: z.string().openapi({ format: 'binary' }), mediaType: 'application/zip' },
        204: { description: 'There is no file in it.' },
        206: { description: 'A range of it.', schema: z.string().openapi({ format: 'binary' }), mediaType: 'application/zip' },
        304: { description: 'It is the one that the client has.' },
      },
      problems: ['login_required', 'not_found', 'path_too_long', 'precondition_failed', 'range_not_satisfiable'],
    },
    async (c) => {
      const { accountId } = await guard.requireAccount(c);
      const folder = await folders.find(database.read, accountId, pathFolderId(c));
      const exported = await exportFolder(folder.id).catch((error) => {
        if (error instanceof PathTooLong) throw new Problem('path_too_long', error.message);
        throw error;
      });
      if (!exported) return new Response(null, { status: 204 });
      return answer(c.req.raw, exported, `${folder.name}.zip`);
    },
  );
}

function answer(request: Request, exported: FolderExport, fileName: string): Response {
  const { etag, length } = exported;
  // No date says when a file was last taken away, so the tag alone is a validator; no comparison with NaN holds.
  const validators = { etag, lastModified: Number.NaN };
  const headers: Record<string, string> = {
    ETag: etag,
    'Accept-Ranges': 'bytes',
    'Cache-Control': 'private, no-cache',
    'Content-Security-Policy': "default-src 'none'; sandbox",
  };
  const precondition = evaluatePreconditions(request.headers, validators);
  if (precondition === 'not_modified') return new Response(null, { status: 304, headers });
  if (precondition === 'failed') throw new Problem('precondition_failed', 'The ZIP file is not the one that the request names.');

  // RFC 9110 §14.2: ranges are defined for GET alone.
  const isRange = request.method === 'GET' && rangeApplies(request.headers, validators);
  const range = isRange ? parseRange(request.headers.get('Range'), length) : 'whole';
  if (range === 'unsatisfiable') {
    throw new Problem('range_not_satisfiable', `The ZIP file has ${length} bytes.`, { headers: { 'Content-Range': `bytes */${length}` } });
  }
  const { start, end } = range === 'whole' ? { start: 0, end: length } : range;
  headers['Content-Type'] = 'application/zip';
  headers['Content-Disposition'] = contentDisposition('attachment', fileName);
  headers['Content-Length'] = String(end - start);
  if (range !== 'whole') headers['Content-Range'] = contentRange(range, length);
  const status = range === 'whole' ? 200 : 206;
  if (request.method === 'HEAD') return new Response(null, { status, headers });
  return new Response(streamOf(coalesce(exported.read(start, end), CHUNK)), { status, headers });
}

/** A stream that reads one chunk ahead of its reader. */
function streamOf(chunks: AsyncGenerator<Uint8Array, void, undefined>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await chunks.return();
    },
  });
}
