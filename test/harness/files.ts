import { postJson, sendJson } from './json.ts';
import type { Posthouse } from './posthouse.ts';

export interface Metadata {
  id: string;
  originalName: string;
  sizeBytes: number;
  mimeType: string;
  visibility: number;
  hasFilePassword: boolean;
  hasAccessKey: boolean;
  accessKeyPlain?: string;
  directToken: string;
  uiToken: string;
  folderId: string;
  downloadCount: number;
  maxDownloads: number | null;
  sharedBy: string | null;
  sha256: string;
  thumbnailPath: string | null;
}

type Content = string | Uint8Array<ArrayBuffer>;

/** Requests to the files of an account. */
export function filesOf(posthouse: Pick<Posthouse, 'fetch'>, headers: Record<string, string>) {
  const json = async <Answer>(answer: Response): Promise<Answer> => (await answer.json()) as Answer;
  const metadata = async (id: string) =>
    json<Metadata>(await posthouse.fetch(`/api/storage/files/${id}/metadata`, { headers }));
  const get = (path: string) => posthouse.fetch(path, { headers });
  const post = (path: string, body?: object) => postJson(posthouse, path, body, headers);
  const read = async <Answer>(path: string) => json<Answer>(await get(path));
  const send = (path: string, content: Content, name = 'file.txt') => {
    const body = new FormData();
    body.set('file', new Blob([content]), name);
    return posthouse.fetch(`/api/storage/files/${path}`, { method: 'POST', headers, body });
  };
  return {
    headers,
    metadata,
    /** Sends a file to a folder. */
    send,
    /** Uploads a file; returns its metadata. */
    async upload(content: Content, { name = 'file.txt', folder = 'root' } = {}): Promise<Metadata> {
      const answer = await send(folder, content, name);
      if (answer.status !== 201) throw new Error(`upload: ${answer.status} ${await answer.text()}`);
      return await metadata((await json<{ Id: string }>(answer)).Id);
    },
    replace: (id: string, content: Content, name?: string) => send(`${id}/replace`, content, name),
    patch: (id: string, change: object) =>
      sendJson(posthouse, 'PATCH', `/api/storage/files/${id}`, change, headers),
    async change(id: string, change: object): Promise<Metadata> {
      const answer = await this.patch(id, change);
      if (answer.status !== 200) throw new Error(`patch: ${answer.status} ${await answer.text()}`);
      return await json<Metadata>(answer);
    },
    remove: (id: string) => posthouse.fetch(`/api/storage/files/${id}`, { method: 'DELETE', headers }),
    /** Deletes a folder with everything in it. */
    removeFolder: (id: string) =>
      posthouse.fetch(`/api/storage/folders/${id}?recursive=true`, { method: 'DELETE', headers }),
    post,
    get,
    /** Returns the parsed body of the response to a GET. */
    read,
    /** Returns the items of a list from `path` on, page by page. */
    async readPages<Item>(path: string): Promise<Item[]> {
      const items: Item[] = [];
      for (let next: string | undefined = path; next !== undefined; ) {
        const response = await get(next);
        items.push(...(await json<Item[]>(response)));
        next = nextOf(response);
      }
      return items;
    },
    /** The bytes in use in the personal workspace. */
    usedBytes: async () => (await read<{ usedBytes: number }>('/api/storage/usage')).usedBytes,
    /** Creates a folder; returns its id. */
    newFolder: async (name: string, parentFolderId = 'root') =>
      (await json<{ id: string }>(await post('/api/storage/folders', { name, parentFolderId }))).id,
  };
}

/** Returns the address of the next page (RFC 8288). */
export function nextOf({ headers }: Response): string | undefined {
  return /^<([^>]+)>; rel="next"$/.exec(headers.get('Link') ?? '')?.[1];
}
