import type { filesOf } from './files.ts';

/** Returns every folder and file below a folder by its path: the id, and the SHA-256 of a file. */
export async function treeOf(
  files: ReturnType<typeof filesOf>,
  folder = 'root',
  path = '',
): Promise<Record<string, string>> {
  const [{ folders }, list] = await Promise.all([
    files.read<{ folders: { id: string; name: string }[] }>(`/api/storage/folders/${folder}`),
    files.read<{ id: string; originalName: string; sha256: string }[]>(`/api/storage/files/${folder}`),
  ]);
  const tree: Record<string, string> = {};
  for (const { id, originalName, sha256 } of list) tree[`${path}${originalName}`] = `${id} ${sha256}`;
  for (const { id, name } of folders)
    Object.assign(tree, { [`${path}${name}/`]: id }, await treeOf(files, id, `${path}${name}/`));
  return tree;
}
