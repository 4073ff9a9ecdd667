import type { App } from '../../kernel/http/context.ts';
import { endpoint } from '../../kernel/http/endpoint.ts';
import type { Member } from '../tree/member.ts';
import { rangeHeaders } from './bytes.ts';
import type { RoutesDeps } from './deps.ts';
import { folderId, workspaceQuery } from './fields.ts';
import { recheckDownload } from './recheck.ts';
import { sendZip, ZIP_PROBLEMS, ZIP_RESPONSES } from './zip.ts';

/** `GET /api/storage/export/{folderId}`: a folder and its subfolders as a ZIP file. */
export function mountExport(app: App, { members, database, folders, exports }: RoutesDeps): void {
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
    responses: ZIP_RESPONSES,
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
