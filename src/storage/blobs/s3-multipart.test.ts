import { expect, test } from 'bun:test';
import { until } from '../../../test/harness/until.ts';
import { MB } from '../../kernel/bytes.ts';
import { SECOND } from '../../kernel/clock.ts';
import { openS3Blobs } from './s3.ts';
import { S3_LIMITS } from './s3-limits.ts';

/** Longer than the test holds a part. */
const LIMITS = { ...S3_LIMITS, answerMs: 30 * SECOND, requestMs: 31 * SECOND };

/** Starts an S3 server that responds to parts when the test does. */
function openStandIn(sharedBytes: number) {
  const events: string[] = [];
  /** The body of the request that ends the upload. */
  let completion = '';
  /** The parts that are being sent, by number. */
  const parts = new Map<number, (response: Response) => void>();
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { search, searchParams } = new URL(request.url);
      if (request.method === 'PUT') {
        const { promise, resolve } = Promise.withResolvers<Response>();
        parts.set(Number(searchParams.get('partNumber')), resolve);
        return await promise;
      }
      events.push(`${request.method} ${search}`);
      if (request.method !== 'POST') return new Response();
      if (searchParams.has('uploads')) return new Response('<UploadId>1</UploadId>');
      completion = await request.text();
      return new Response('<CompleteMultipartUploadResult/>');
    },
  });
  const endpoint = `http://127.0.0.1:${server.port}`;
  const bucket = { bucket: 'b', endpoint, region: null, accessKeyId: 'x', secretAccessKey: 'y' };
  return {
    blobs: openS3Blobs(bucket, LIMITS, null, { sharedBytes, beyond: 4, waitMs: 3_600_000 }),
    parts,
    events,
    completion: () => completion,
    respond(part: number, response = new Response(null, { headers: { ETag: `"${part}"` } })): void {
      events.push(`part ${part}: ${response.status}`);
      parts.get(part)?.(response);
      parts.delete(part);
    },
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

test.each([
  [3, 'where there is memory', 64 * MB],
  [2, 'where others need the memory', 32 * MB],
])('an upload sends %d parts at once %s, and its object has them in order', async (count, _, sharedBytes) => {
  await using server = openStandIn(sharedBytes);
  const writer = server.blobs.create('a');
  const write = async () => {
    for (let written = 0; written < 33; written++) await writer.write(Buffer.alloc(MB));
    await writer.commit();
  };
  const done = write();
  await Promise.race([until(() => server.parts.size === count), done]);
  // A part too many would be sent before this request.
  await server.blobs.stat('a');
  expect([...server.parts.keys()].toSorted()).toEqual([1, 2, 3].slice(0, count));
  for (let part = count; part > 0; part--) server.respond(part);
  for (let part = count + 1; part <= 5; part++) {
    await until(() => server.parts.has(part));
    server.respond(part);
  }
  await done;
  const listed = [1, 2, 3, 4, 5].map((part) => `<PartNumber>${part}</PartNumber><ETag>"${part}"</ETag>`);
  expect(server.completion()).toContain(listed.join('</Part><Part>'));
});

test('a part that fails ends the upload, whose parts are deleted after the last one is sent', async () => {
  await using server = openStandIn(64 * MB);
  const writer = server.blobs.create('a');
  for (let written = 0; written < 16; written++) await writer.write(Buffer.alloc(MB));
  await until(() => server.parts.size === 2);
  const commit = writer.commit();
  server.respond(1, new Response('<Error><Code>Other</Code></Error>', { status: 400 }));
  await expect(commit).rejects.toMatchObject({ name: 'Unavailable' });
  await writer.abort();
  // A deletion that did not wait for the second part would be sent before this request.
  await server.blobs.stat('a');
  server.respond(2);
  await until(() => server.events.at(-1) === 'DELETE ');
  expect(server.events).toEqual([
    'POST ?uploads=',
    'part 1: 400',
    'HEAD ',
    'part 2: 200',
    'DELETE ?uploadId=1',
    'DELETE ',
  ]);
});
