import { afterAll, expect, test } from 'bun:test';
import { openS3Blobs } from './s3.ts';

/** The S3 server of the other tests lists neither multipart uploads nor their parts. */
const UPLOADS: Record<string, readonly string[][]> = {
  // Pages of the times of parts.
  without_parts: [[]],
  dead: [['2026-01-01T10:00:10.000Z'], ['2026-01-01T10:50:00.000Z']],
  slow: [['2026-01-01T10:00:10.000Z'], ['2026-01-01T12:59:00.000Z']],
};
const INITIATED = '2026-01-01T10:00:00.000Z';
const aborted: string[] = [];
/** Status of a list of parts. */
let status = 200;
let isCut = false;

const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch({ method, url }) {
    const query = new URL(url).searchParams;
    if (query.has('uploads')) {
      const uploads = [...Object.keys(UPLOADS), 'new'].map((id) => {
        const initiated = id === 'new' ? '2026-01-01T12:30:00.000Z' : INITIATED;
        return `<Upload><Key>blobs/${id}</Key><UploadId>${id}</UploadId><Initiated>${initiated}</Initiated></Upload>`;
      });
      return new Response(`<ListMultipartUploadsResult>${uploads.join('')}</ListMultipartUploadsResult>`);
    }
    const id = query.get('uploadId') ?? '';
    if (method === 'DELETE') {
      aborted.push(id);
      return new Response(null, { status: 204 });
    }
    if (status !== 200) return new Response('<Error></Error>', { status });
    if (isCut) return new Response('<ListPartsResult><IsTruncated>false</IsTruncated>');
    const page = Number(query.get('part-number-marker'));
    const pages = UPLOADS[id] ?? [];
    const parts = pages[page]?.map((time) => `<Part><LastModified>${time}</LastModified></Part>`) ?? [];
    const isLast = page + 1 >= pages.length;
    return new Response(
      `<ListPartsResult><IsTruncated>${!isLast}</IsTruncated><NextPartNumberMarker>${page + 1}</NextPartNumberMarker>${parts.join('')}</ListPartsResult>`,
    );
  },
});
afterAll(() => server.stop(true));

const blobs = openS3Blobs({
  endpoint: `http://127.0.0.1:${server.port}`,
  region: 'us-east-1',
  bucket: 'bucket',
  accessKeyId: 'id',
  secretAccessKey: 'secret',
});

test('a multipart upload is aborted an hour after its last part, not after its beginning', async () => {
  expect(await blobs.sweepUnfinished(Date.parse('2026-01-01T12:00:00.000Z'))).toBe(2);
  expect(aborted).toEqual(['without_parts', 'dead']);
});

test.each([403, 405, 501])(
  'where the response to a list of parts is %d, a multipart upload is aborted a day after its beginning',
  async (refusal) => {
    status = refusal;
    aborted.length = 0;
    expect(await blobs.sweepUnfinished(Date.parse('2026-01-02T09:59:00.000Z'))).toBe(0);
    expect(await blobs.sweepUnfinished(Date.parse('2026-01-02T10:01:00.000Z'))).toBe(3);
    expect(aborted).toEqual(['without_parts', 'dead', 'slow']);
  },
);

test('no multipart upload is aborted after a list of parts that was cut', async () => {
  status = 200;
  isCut = true;
  aborted.length = 0;
  expect(await blobs.sweepUnfinished(Date.parse('2026-01-01T12:00:00.000Z'))).toBe(0);
  isCut = false;
});

test('no multipart upload is aborted after another response to a list of parts', async () => {
  status = 404;
  expect(await blobs.sweepUnfinished(Date.parse('2026-01-09T00:00:00.000Z'))).toBe(0);
});
