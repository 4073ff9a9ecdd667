import { expect, test } from 'bun:test';
import { connect } from 'node:net';
import { freshBucket, freshDirectory } from './harness/backends.ts';
import { filesOf } from './harness/files.ts';
import { addPerson, startProcess } from './harness/posthouse.ts';
import { openTcpProxy } from './harness/tcp-proxy.ts';
import { until } from './harness/until.ts';

/** More than the 256 requests that Bun sends at the same time by default. */
const READERS = 300;
const PASSED_BYTES = 16_384;

/** Opens a TCP proxy of an S3 server that passes only the beginning of a long response. */
async function openWithholdingProxy(endpoint: string) {
  let withheld = 0;
  const { port, close } = await openTcpProxy(Number(new URL(endpoint).port), (client, upstream) => {
    client.on('close', () => upstream.destroy()).pipe(upstream);
    upstream.on('data', (chunk: Buffer) => {
      client.write(chunk);
      if (client.bytesWritten <= PASSED_BYTES || upstream.isPaused()) return;
      upstream.pause();
      withheld++;
    });
  });
  return { endpoint: `http://127.0.0.1:${port}`, withheld: () => withheld, close };
}

test('downloads that wait for S3 leave other requests to S3 to be sent', async () => {
  const { bucket, endpoint, accessKeyId, secretAccessKey } = await freshBucket();
  const proxy = await openWithholdingProxy(endpoint);
  const settings = {
    POSTHOUSE_DATA_DIR: freshDirectory(),
    POSTHOUSE_S3_URL: `s3://${bucket}?${new URLSearchParams({ endpoint: proxy.endpoint, region: 'us-east-1' })}`,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
  };
  const posthouse = await startProcess(settings);
  const { headers } = await addPerson(settings, 'ada@example.org');
  const files = filesOf(posthouse, headers);
  const { id } = await files.upload('x'.repeat(4_000_000), { name: 'large.bin' });
  const { directToken } = await files.change(id, { visibility: 1 });
  const small = await files.upload('bytes', { name: 'small.bin' });
  const { hostname, port } = new URL(posthouse.url);
  const readers = Array.from({ length: READERS }, () => {
    const socket = connect(Number(port), hostname);
    socket.write(
      `GET /api/storage/public/media/${directToken} HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`,
    );
    return socket;
  });
  await until(() => proxy.withheld() >= READERS);
  const content = await posthouse.fetch(`/api/storage/files/${small.id}/content`, { headers });
  expect([content.status, await content.text()]).toEqual([200, 'bytes']);
  for (const socket of readers) socket.destroy();
  await posthouse.stop();
  await proxy.close();
});
