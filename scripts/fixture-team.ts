import { runJson } from '../test/harness/command.ts';
import { filesOf } from '../test/harness/files.ts';
import type { OldLink, OldUpload, TeamFacts } from '../test/harness/old-data.ts';
import { photograph, renditionOf, thumbnailOf } from '../test/harness/pictures.ts';
import type { Posthouse } from '../test/harness/process.ts';
import { treeOf } from '../test/harness/trees.ts';
import { tusOf, uploadBytes } from '../test/harness/tus.ts';

interface Person {
  email: string;
  headers: Record<string, string>;
}

type Files = ReturnType<typeof filesOf>;

const PASSWORD = 'open sesame';
const UPLOAD = { bytes: 30_000, received: 10_000, name: 'half.bin' };

/** Creates a resumable upload, and sends a part of its bytes. */
export async function beginHalf(
  tus: ReturnType<typeof tusOf>,
  { bytes, received, name }: Omit<OldUpload, 'path' | 'sha256'>,
  more: Record<string, string> = {},
): Promise<OldUpload> {
  const all = uploadBytes(bytes);
  const path = await tus.begin(bytes, { filename: name, ...more });
  await tus.patch(path, 0, all.subarray(0, received));
  const sha256 = new Bun.CryptoHasher('sha256').update(all).digest('base64');
  return { path, bytes, received, name, sha256 };
}

/** Creates a shared workspace with links, versions and a trash, and one that is deleted. */
export async function fillTeam(posthouse: Posthouse, manager: Person, editor: Person): Promise<TeamFacts> {
  const { settings } = posthouse;
  const files = filesOf(posthouse, manager.headers);
  const add = (name: string) =>
    runJson<{ id: string; rootFolderId: string }>(
      settings,
      ...['workspace', 'add', '--name', name, '--manager', manager.email],
    );
  const { id: workspaceId, rootFolderId } = await add('Launches');
  await runJson(
    settings,
    ...['workspace', 'member', 'add', '--workspace', 'Launches', '--email', editor.email, '--role', 'editor'],
  );
  const words = ['token', 'add', '--workspace', 'Launches', '--name', 'uploader', '--role', 'editor'];
  const { token: appToken } = await runJson<{ token: string }>(settings, ...words);
  const gone = await add('Gone');
  const text = 'of a deleted workspace';
  const file = (await files.upload(text, { name: 'gone.txt', folder: gone.rootFolderId })).id;
  await remove(posthouse, files, `/api/storage/workspaces/${gone.id}`);

  const album = await fillAlbum(posthouse, files, rootFolderId);
  const inbox = await fillInbox(posthouse, files, rootFolderId);
  const versions = await fillVersions(posthouse, filesOf(posthouse, editor.headers), rootFolderId);
  const deleted = await fillTrash(posthouse, files, rootFolderId);
  const tree = await treeOf(files, rootFolderId);
  return {
    workspaceId,
    rootFolderId,
    editorEmail: editor.email,
    appToken,
    fileCount: Object.keys(tree).filter((path) => !path.endsWith('/')).length + 1,
    tree,
    ...album,
    inbox,
    versions,
    deleted,
    gone: { id: gone.id, file, text },
  };
}

async function remove(posthouse: Posthouse, { headers }: Files, path: string): Promise<void> {
  const answer = await posthouse.fetch(path, { method: 'DELETE', headers });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
}

async function newLink(files: Files, settings: object): Promise<OldLink> {
  const answer = await files.post('/api/storage/links', settings);
  if (answer.status !== 201) throw new Error(`link: ${answer.status} ${await answer.text()}`);
  const { id, token } = (await answer.json()) as OldLink;
  return { id, token };
}

/** Creates a link with a password to a folder, which a visitor uses, and a link to chosen files. */
async function fillAlbum(posthouse: Posthouse, files: Files, root: string) {
  const album = await files.newFolder('Álbum', root);
  const day = await files.newFolder('Day 1', album);
  const photo = await files.upload(await photograph('2019:07:31 23:30:00'), {
    name: 'photo.jpg',
    folder: album,
  });
  await thumbnailOf(files, photo.id);
  await renditionOf(files, photo.id, 'preview');
  const notes = await files.upload('The notes of the day.', { name: 'notes.txt', folder: day });
  const secret = await files.upload('not by the link', { name: 'secret.txt', folder: day });
  await files.change(secret.id, { filePassword: PASSWORD });
  const settings = { folderId: album, title: 'The launch', password: PASSWORD, maxDownloads: 2 };
  const link = await newLink(files, settings);
  const path = `/public/folder/${link.token}/file/${photo.id}`;
  await (await posthouse.fetch(path, { headers: { 'X-File-Password': PASSWORD } })).bytes();
  const fileIds = [photo.id, notes.id];
  const chosen = await newLink(files, { fileIds, message: 'Two of them' });
  return {
    album: { link: { ...link, password: PASSWORD }, day, photo: photo.id },
    chosen: { link: chosen, names: ['notes.txt', 'photo.jpg'] },
  };
}

/** Creates a link through which one file has arrived and another is under way. */
async function fillInbox(posthouse: Posthouse, files: Files, root: string): Promise<TeamFacts['inbox']> {
  const folderId = await files.newFolder('Inbox', root);
  const [maxFiles, sent, sender] = [2, 'arrived.txt', 'Eve'];
  const link = await newLink(files, { folderId, access: 'upload', maxFiles });
  const tus = tusOf(posthouse, {}, `/public/folder/${link.token}/uploads`);
  const first = await tus.createWith(7, 'arrived', {}, { filename: sent, uploaderName: sender });
  if (first.status !== 201) throw new Error(`sent: ${first.status} ${await first.text()}`);
  const upload = await beginHalf(tus, UPLOAD, { uploaderName: sender });
  return { link, maxFiles, sent, sender, upload };
}

async function fillVersions(
  posthouse: Posthouse,
  files: Files,
  root: string,
): Promise<TeamFacts['versions']> {
  const texts = ['the third text', 'the second', 'first'];
  const [third = '', second = '', first = ''] = texts;
  const { id } = await files.upload(first, { name: 'plan.txt', folder: root });
  for (const text of [second, third]) {
    const form = new FormData();
    form.set('file', new Blob([text]), 'plan.txt');
    const request = { method: 'POST', headers: files.headers, body: form };
    const answer = await posthouse.fetch(`/api/storage/files/${id}/replace`, request);
    if (!answer.ok) throw new Error(`replace: ${answer.status} ${await answer.text()}`);
  }
  return { id, texts };
}

/** Creates a folder with subfolders, files and a link, and deletes it. */
async function fillTrash(posthouse: Posthouse, files: Files, root: string): Promise<TeamFacts['deleted']> {
  const id = await files.newFolder('Old', root);
  const inner = await files.newFolder('Inner', id);
  await files.newFolder('Empty', inner);
  for (const [name, folder] of [
    ['a.txt', id],
    ['b.txt', inner],
  ] as const)
    await files.upload(`${name}, deleted`, { name, folder });
  const link = await newLink(files, { folderId: id });
  const tree = await treeOf(files, id);
  await remove(posthouse, files, `/api/storage/folders/${id}?recursive=true`);
  return { id, link, tree };
}
