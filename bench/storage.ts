import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addPerson } from '../test/harness/accounts.ts';
import { startPosthouse } from '../test/harness/process.ts';
import { run } from './lib/load.ts';
import { multipart } from './lib/multipart.ts';
import { startNginx } from './lib/nginx.ts';
import { compare, print } from './lib/pairs.ts';

/** Compares storage with one nginx worker on the same machine in the same run: `npm run bench -- storage`. */
const LARGE = 200 * 1024 * 1024;
const directory = mkdtempSync(join(tmpdir(), 'posthouse-bench-'));
const files = { large: join(directory, 'large.bin'), small: join(directory, 'small.bin') };
const large = crypto
  .getRandomValues(Buffer.alloc(65_536))
  .toString('latin1')
  .repeat(LARGE / 65_536);
const largeBytes = Buffer.from(large, 'latin1');
const smallBytes = largeBytes.subarray(0, 65_536);
const tinyBytes = largeBytes.subarray(0, 4_096);
writeFileSync(files.large, largeBytes);
writeFileSync(files.small, smallBytes);

const settings = {
  POSTHOUSE_DATA_DIR: join(directory, 'data'),
  POSTHOUSE_WORKSPACE_BYTES: String(2 ** 40),
  POSTHOUSE_LOG_LEVEL: 'warn',
};
const posthouse = await startPosthouse(settings);
const person = await addPerson(settings, 'bench@example.org');
const port = Number(new URL(posthouse.url).port);
const nginx = await startNginx(directory, directory);

async function publish(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<{ id: string; path: string }> {
  const form = new FormData();
  form.set('file', new Blob([bytes]), name);
  form.set('visibility', '1');
  const made = await posthouse.fetch('/api/storage/files/root', {
    method: 'POST',
    headers: person.headers,
    body: form,
  });
  const { Id: id } = (await made.json()) as { Id: string };
  const metadata = await posthouse.fetch(`/api/storage/files/${id}/metadata`, { headers: person.headers });
  const { directToken } = (await metadata.json()) as { directToken: string };
  return { id, path: `/api/storage/public/media/${directToken}` };
}

async function remove(ids: readonly string[]): Promise<void> {
  for (const id of ids)
    await posthouse.fetch(`/api/storage/files/${id}`, { method: 'DELETE', headers: person.headers });
}

const get = (path: string) => () => `GET ${path} HTTP/1.1\r\nHost: bench\r\n\r\n`;

async function downloads(): Promise<void> {
  const [big, small] = [await publish('large.bin', largeBytes), await publish('small.bin', smallBytes)];
  const throughput = async (at: number, path: string) => {
    const { bytesReceived, seconds } = await run({
      port: at,
      connections: 1,
      requests: 5,
      head: get(path),
      expect: 200,
    });
    return bytesReceived / seconds / 1e6;
  };
  const rate = async (at: number, path: string) =>
    (await run({ port: at, connections: 16, requests: 20_000, head: get(path), expect: 200 }))
      .requestsPerSecond;
  if (!nginx) return;
  await compare({
    name: '200 MB download by public token',
    unit: 'MB/s',
    reach: 0.85,
    baseline: 'nginx sendfile',
    ours: () => throughput(port, big.path),
    theirs: () => throughput(nginx.port, '/large.bin'),
  });
  await compare({
    name: '64 KB downloads by public token, 16 connections',
    unit: 'requests/s',
    reach: 0.5,
    baseline: 'nginx sendfile',
    ours: () => rate(port, small.path),
    theirs: () => rate(nginx.port, '/small.bin'),
  });
  await remove([big.id, small.id]);
}

async function uploads(): Promise<void> {
  const upload = async (bytes: Buffer, connections: number, requests: number) => {
    const { type, body } = multipart(bytes);
    const head = () =>
      `POST /api/storage/files/root HTTP/1.1\r\nHost: bench\r\nAuthorization: ${person.headers.Authorization}\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n`;
    return await run({ port, connections, requests, head, body, expect: 201 });
  };
  const put = async (bytes: Buffer, connections: number, requests: number) => {
    const head = (index: number) =>
      `PUT /put/${index % 64}-${crypto.randomUUID()} HTTP/1.1\r\nHost: bench\r\nContent-Length: ${bytes.length}\r\n\r\n`;
    const outcome = await run({
      port: nginx?.port ?? 0,
      connections,
      requests,
      head,
      body: bytes,
      expect: 201,
    });
    for (const name of readdirSync(join(directory, 'put'))) rmSync(join(directory, 'put', name));
    return outcome;
  };
  if (!nginx) return;
  await compare({
    name: '200 MB multipart upload: type, SHA-256, CRC-32, quota, fsync, commit',
    unit: 'MB/s',
    reach: 0.55,
    baseline: 'nginx DAV PUT',
    ours: async () => (2 * LARGE) / (await upload(largeBytes, 1, 2)).seconds / 1e6,
    theirs: async () => (2 * LARGE) / (await put(largeBytes, 1, 2)).seconds / 1e6,
  });
  await compare({
    name: '4 KB uploads, 16 connections',
    unit: 'requests/s',
    reach: 0.3,
    baseline: 'nginx DAV PUT',
    ours: async () => (await upload(tinyBytes, 16, 4_000)).requestsPerSecond,
    theirs: async () => (await put(tinyBytes, 16, 4_000)).requestsPerSecond,
  });
}

try {
  if (!nginx)
    print(
      'nginx is not on this machine (Debian: apt-get install nginx-light), so there is nothing to compare with.',
    );
  await downloads();
  await uploads();
} finally {
  await nginx?.stop();
  await posthouse.stop();
  rmSync(directory, { recursive: true, force: true });
}
