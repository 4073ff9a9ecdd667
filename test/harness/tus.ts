import { once } from 'node:events';
import { connect } from 'node:net';
import type { Posthouse } from './posthouse.ts';

export const UPLOADS = '/api/storage/uploads';
const CHUNK = { 'Content-Type': 'application/offset+octet-stream' };

type Headers = Record<string, string>;
type Body = string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;

/** Returns an `Upload-Metadata` header with these values. */
export function metadata(values: Record<string, string | Uint8Array>): string {
  return Object.entries(values)
    .map(([key, value]) => `${key} ${Buffer.from(value as string).toString('base64')}`)
    .join(',');
}

/** Returns bytes that differ from one place to the next, the same each time. */
export function uploadBytes(count: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length: count }, (_, index) => (index * index) % 251);
}

/** Requests to the resumable uploads of an account, or of a link. @param uploads the path that creates them */
export function tusOf(posthouse: Posthouse, person: Headers, uploads = UPLOADS) {
  const send = (method: string, path: string, headers: Headers = {}, body?: Body) =>
    posthouse.fetch(path, { method, body, headers: { ...person, 'Tus-Resumable': '1.0.0', ...headers } });
  const create = (
    length: number | string,
    values: Record<string, string | Uint8Array> = { filename: 'a.bin' },
    headers: Headers = {},
  ) =>
    send('POST', uploads, {
      'Upload-Length': String(length),
      'Upload-Metadata': metadata(values),
      ...headers,
    });
  return {
    send,
    create,
    /** Creates an upload; returns its path. */
    async begin(length: number, values?: Record<string, string | Uint8Array>): Promise<string> {
      const answer = await create(length, values);
      if (answer.status !== 201) throw new Error(`begin: ${answer.status} ${await answer.text()}`);
      return answer.headers.get('Location') ?? '';
    },
    /** Creates an upload with `body` in the same request. */
    createWith: (length: number, body: Body, headers: Headers = {}, values?: Record<string, string>) => {
      const given = {
        'Upload-Length': String(length),
        'Upload-Metadata': metadata(values ?? { filename: 'a.bin' }),
      };
      return send('POST', uploads, { ...given, ...CHUNK, ...headers }, body);
    },
    patch: (path: string, offset: number, body: Body, headers: Headers = {}) =>
      send('PATCH', path, { 'Upload-Offset': String(offset), ...CHUNK, ...headers }, body),
    /** Returns the offset; null = no such upload. */
    async offset(path: string): Promise<number | null> {
      const answer = await send('HEAD', path);
      return answer.status === 200 ? Number(answer.headers.get('Upload-Offset')) : null;
    },
    /** Announces `length` bytes at offset 0, sends `body`, and leaves the connection open. */
    async hang(path: string, length: number, body: Uint8Array) {
      const { hostname, port } = new URL(posthouse.url);
      const socket = connect(Number(port), hostname);
      socket.on('error', () => {});
      await once(socket, 'connect');
      const headers = {
        Host: 'x',
        ...person,
        'Tus-Resumable': '1.0.0',
        'Upload-Offset': '0',
        ...CHUNK,
        'Content-Length': String(length),
      };
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
      socket.write(`PATCH ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
      await new Promise<void>((resolve) => socket.write(body, () => resolve()));
      return socket;
    },
  };
}
