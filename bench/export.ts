import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addPerson } from '../test/harness/accounts.ts';
import { startProcess } from '../test/harness/start.ts';
import { run } from './lib/load.ts';
import { multipart } from './lib/multipart.ts';
import { compare, median, print } from './lib/pairs.ts';

/**
 * Compares the export of a folder of 2,000 files of 500 KB with the download of one file of 200 MB: `npm run bench
 * -- export`.
 */
const MEMBERS = 2_000;
const MEMBER_BYTES = 500_000;
const LARGE = 200 * 1024 * 1024;
const directory = mkdtempSync(join(tmpdir(), 'posthouse-bench-'));
const settings = {
  POSTHOUSE_DATA_DIR: directory,
  POSTHOUSE_WORKSPACE_BYTES: String(2 ** 40),
  POSTHOUSE_LOG_LEVEL: 'warn',
};
const posthouse = await startProcess(settings);
const { headers } = await addPerson(settings, 'bench@example.org');
const port = Number(new URL(posthouse.url).port);

async function upload(folderId: string, bytes: Uint8Array, count: number): Promise<void> {
  const { type, body } = multipart(bytes);
  const head = () =>
    `POST /api/storage/files/${folderId} HTTP/1.1\r\nHost: bench\r\nAuthorization: ${headers.Authorization}\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n`;
  await run({ port, connections: 8, requests: count, head, body, expect: 201 });
}

const get = (path: string) => () =>
  `GET ${path} HTTP/1.1\r\nHost: bench\r\nAuthorization: ${headers.Authorization}\r\n\r\n`;

try {
  const made = await posthouse.fetch('/api/storage/folders', {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: '{"name":"full"}',
  });
  const { id } = (await made.json()) as { id: string };
  await upload(id, Buffer.alloc(MEMBER_BYTES, 'Posthouse'), MEMBERS);
  await upload('root', Buffer.alloc(LARGE, 'Posthouse'), 1);
  const [file] = (await (await posthouse.fetch('/api/storage/files/root', { headers })).json()) as {
    id: string;
  }[];
  const firstBytes: number[] = [];
  await compare({
    name: `ZIP of ${MEMBERS.toLocaleString('en-US')} × 500 KB`,
    unit: 'MB/s',
    reach: 0.8,
    baseline: 'our own 200 MB download',
    async ours() {
      const { bytesReceived, seconds, firstByteMs } = await run({
        port,
        connections: 1,
        requests: 1,
        head: get(`/api/storage/export/${id}`),
        expect: 200,
      });
      firstBytes.push(firstByteMs);
      return bytesReceived / seconds / 1e6;
    },
    async theirs() {
      const { bytesReceived, seconds } = await run({
        port,
        connections: 1,
        requests: 5,
        head: get(`/api/storage/files/${file?.id}/content`),
        expect: 200,
      });
      return bytesReceived / seconds / 1e6;
    },
  });
  const [least, most] = [Math.min(...firstBytes), Math.max(...firstBytes)];
  print(
    `  first byte after ${median(firstBytes).toFixed(1)} ms (${least.toFixed(1)} to ${most.toFixed(1)}), reach 50 ms`,
  );
} finally {
  await posthouse.stop();
  rmSync(directory, { recursive: true, force: true });
}
