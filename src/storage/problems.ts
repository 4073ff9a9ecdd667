import type { ProblemTable } from '../kernel/problem.ts';

/** Error codes of files and folders. A published code keeps its meaning. */
// biome-ignore format: one or two lines per code
export const storageProblems = {
  access_key_required: { status: 403, title: 'Access key required',
    remedy: 'Send the file’s access key as `accessKey` (or `key`) in the query, or in the header `X-Access-Key`.' },
  access_key_wrong: { status: 403, title: 'Wrong access key',
    remedy: 'Ask the owner of the file for its current access key.' },
  file_password_required: { status: 403, title: 'Password required',
    remedy: 'Send the file’s password as `filePassword` in the query, or in the header `X-File-Password`.' },
  file_password_wrong: { status: 403, title: 'Wrong password',
    remedy: 'Ask the owner of the file for its current password.' },
  role_insufficient: { status: 403, title: 'Role insufficient',
    remedy: 'Ask a manager of the workspace for the role that the error names, or work in another workspace.' },
  no_thumbnail: { status: 404, title: 'No thumbnail',
    remedy: 'Show an icon instead. Only pictures have thumbnails; they are created shortly after the upload.' },
  folder_cycle: { status: 409, title: 'Folder inside itself',
    remedy: 'Choose a target folder that is neither the folder itself nor inside it.' },
  folder_not_empty: { status: 409, title: 'Folder not empty',
    remedy: 'Empty the folder first, or add `?recursive=true` to delete everything in it.' },
  path_too_long: { status: 409, title: 'Path too long for a ZIP file',
    remedy: 'Export the subfolders one by one, or shorten the names of the folders above the file.' },
  root_folder: { status: 409, title: 'Root folder',
    remedy: 'The root folder of a workspace cannot be renamed, moved or deleted. Work on the folders inside it.' },
  upload_offset_wrong: { status: 409, title: 'Wrong upload offset',
    remedy: 'Request the `Upload-Offset` with HEAD and continue there.' },
  upload_expired: { status: 410, title: 'Upload expired', remedy: 'Create a new upload.' },
  link_expired: { status: 410, title: 'Link expired',
    remedy: 'Ask the owner of the file to extend the link.' },
  download_limit_reached: { status: 410, title: 'Download limit reached',
    remedy: 'Ask the owner of the file to allow more downloads.' },
  file_too_large: { status: 413, title: 'File too large',
    remedy: 'Send a smaller file, or ask the operator to raise `POSTHOUSE_MAX_FILE_BYTES`.' },
  upload_locked: { status: 423, title: 'Upload locked by another request',
    remedy: 'Wait briefly, request the `Upload-Offset` with HEAD, and continue there.' },
  checksum_mismatch: { status: 460, title: 'Checksum mismatch',
    remedy: 'Send the same bytes again at the same offset.' },
  quota_exceeded: { status: 507, title: 'Quota exceeded',
    remedy: 'Delete files, or ask the operator to raise the quota.' },
} as const satisfies ProblemTable;

declare module '../kernel/problem.ts' {
  interface ProblemCodes extends Record<keyof typeof storageProblems, unknown> {}
}
